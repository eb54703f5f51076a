"""The part of OpenH264's C interface that is used, as it stands in release 2.6; other releases differ.

Every enumeration is declared as `int`, which is what C compilers make of it; names are the library's own.
"""

CDEF = """
typedef struct { unsigned int uMajor, uMinor, uRevision, uReserved; } OpenH264Version;

typedef struct {
  int uiSliceMode; unsigned int uiSliceNum, uiSliceMbNum[35], uiSliceSizeConstraint;
} SSliceArgument;

typedef struct {
  int iVideoWidth, iVideoHeight; float fFrameRate; int iSpatialBitrate, iMaxSpatialBitrate;
  int uiProfileIdc, uiLevelIdc, iDLayerQp; SSliceArgument sSliceArgument;
  bool bVideoSignalTypePresent; unsigned char uiVideoFormat; bool bFullRange, bColorDescriptionPresent;
  unsigned char uiColorPrimaries, uiTransferCharacteristics, uiColorMatrix;
  bool bAspectRatioPresent; int eAspectRatio; unsigned short sAspectRatioExtWidth, sAspectRatioExtHeight;
} SSpatialLayerConfig;

typedef struct {
  int iUsageType, iPicWidth, iPicHeight, iTargetBitrate, iRCMode; float fMaxFrameRate;
  int iTemporalLayerNum, iSpatialLayerNum; SSpatialLayerConfig sSpatialLayers[4];
  int iComplexityMode; unsigned int uiIntraPeriod; int iNumRefFrame, eSpsPpsIdStrategy;
  bool bPrefixNalAddingCtrl, bEnableSSEI, bSimulcastAVC; int iPaddingFlag, iEntropyCodingModeFlag;
  bool bEnableFrameSkip; int iMaxBitrate, iMaxQp, iMinQp; unsigned int uiMaxNalSize;
  bool bEnableLongTermReference; int iLTRRefNum; unsigned int iLtrMarkPeriod;
  unsigned short iMultipleThreadIdc; bool bUseLoadBalancing;
  int iLoopFilterDisableIdc, iLoopFilterAlphaC0Offset, iLoopFilterBetaOffset;
  bool bEnableDenoise, bEnableBackgroundDetection, bEnableAdaptiveQuant, bEnableFrameCroppingFlag;
  bool bEnableSceneChangeDetect, bIsLosslessLink, bFixRCOverShoot; int iIdrBitrateRatio;
  bool bPsnrY, bPsnrU, bPsnrV;
} SEncParamExt;

typedef struct {
  unsigned char uiTemporalId, uiSpatialId, uiQualityId; int eFrameType; unsigned char uiLayerType;
  int iSubSeqId, iNalCount, *pNalLengthInByte; unsigned char *pBsBuf; float rPsnr[3];
} SLayerBSInfo;

typedef struct {
  int iLayerNum; SLayerBSInfo sLayerInfo[128]; int eFrameType, iFrameSizeInBytes; long long uiTimeStamp;
} SFrameBSInfo;

typedef struct {
  int iColorFormat, iStride[4]; unsigned char *pData[4]; int iPicWidth, iPicHeight; long long uiTimeStamp;
  bool bPsnrY, bPsnrU, bPsnrV;
} SSourcePicture;

typedef struct { int iLayer, iBitrate; } SBitrateInfo;

typedef struct {
  unsigned int uiWidth, uiHeight; float fAverageFrameSpeedInMs, fAverageFrameRate, fLatestFrameRate;
  unsigned int uiBitRate, uiAverageFrameQP, uiInputFrameCount, uiSkippedFrameCount, uiResolutionChangeTimes;
  unsigned int uiIDRReqNum, uiIDRSentNum, uiLTRSentNum; long long iStatisticsTs;
  unsigned long iTotalEncodedBytes, iLastStatisticsBytes, iLastStatisticsFrameCount;
} SEncoderStatistics;

typedef struct ISVCEncoderVtbl ISVCEncoderVtbl;
typedef const ISVCEncoderVtbl *ISVCEncoder;
struct ISVCEncoderVtbl {
  void *Initialize;
  int (*InitializeExt)(ISVCEncoder *, const SEncParamExt *);
  int (*GetDefaultParams)(ISVCEncoder *, SEncParamExt *);
  int (*Uninitialize)(ISVCEncoder *);
  int (*EncodeFrame)(ISVCEncoder *, const SSourcePicture *, SFrameBSInfo *);
  void *EncodeParameterSets;
  int (*ForceIntraFrame)(ISVCEncoder *, bool idr, int layer);
  int (*SetOption)(ISVCEncoder *, int option, void *value);
  int (*GetOption)(ISVCEncoder *, int option, void *value);
};

int WelsCreateSVCEncoder(ISVCEncoder **encoder);
void WelsDestroySVCEncoder(ISVCEncoder *encoder);
void WelsGetCodecVersionEx(OpenH264Version *version);
"""
