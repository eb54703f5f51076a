"""The part of libaom's C interface that is used, as it stands at encoder ABI version 29 (libaom 3.8 to 3.14)."""

CDEF = """
typedef struct aom_codec_iface aom_codec_iface_t;
typedef struct { const char *name; aom_codec_iface_t *iface; int err; const char *err_detail; long init_flags;
                 const void *config; void *priv; } aom_codec_ctx_t;
typedef struct { void *buf; size_t sz; } aom_fixed_buf_t;

typedef struct {
  int fmt, cp, tc, mc, monochrome, csp, range;
  unsigned int w, h, bit_depth, d_w, d_h, r_w, r_h, x_chroma_shift, y_chroma_shift;
  unsigned char *planes[3]; int stride[3]; size_t sz; int bps, temporal_id, spatial_id; void *user_priv;
  unsigned char *img_data; int img_data_owner, self_allocd; void *metadata, *fb_priv;
} aom_image_t;

typedef struct {
  unsigned int g_usage, g_threads, g_profile, g_w, g_h, g_limit, g_forced_max_frame_width, g_forced_max_frame_height;
  int g_bit_depth; unsigned int g_input_bit_depth; int g_timebase_num, g_timebase_den; uint32_t g_error_resilient;
  int g_pass; unsigned int g_lag_in_frames;
  unsigned int rc_dropframe_thresh, rc_resize_mode, rc_resize_denominator, rc_resize_kf_denominator;
  int rc_superres_mode;
  unsigned int rc_superres_denominator, rc_superres_kf_denominator, rc_superres_qthresh, rc_superres_kf_qthresh;
  int rc_end_usage; aom_fixed_buf_t rc_twopass_stats_in, rc_firstpass_mb_stats_in;
  unsigned int rc_target_bitrate, rc_min_quantizer, rc_max_quantizer, rc_undershoot_pct, rc_overshoot_pct;
  unsigned int rc_buf_sz, rc_buf_initial_sz, rc_buf_optimal_sz;
  unsigned int rc_2pass_vbr_bias_pct, rc_2pass_vbr_minsection_pct, rc_2pass_vbr_maxsection_pct;
  int fwd_kf_enabled, kf_mode; unsigned int kf_min_dist, kf_max_dist, sframe_dist, sframe_mode;
  unsigned int large_scale_tile, monochrome, full_still_picture_hdr, save_as_annexb;
  int tile_width_count, tile_height_count, tile_widths[64], tile_heights[64];
  unsigned int use_fixed_qp_offsets; int fixed_qp_offsets[5]; unsigned int encoder_cfg[35];
} aom_codec_enc_cfg_t;

typedef struct {
  int kind;
  union { struct { void *buf; size_t sz; int64_t pts; unsigned long duration; uint32_t flags; } frame;
          char pad[124]; } data;
} aom_codec_cx_pkt_t;

typedef struct { int spatial_layer_id, temporal_layer_id; } aom_svc_layer_id_t;
typedef struct {
  int number_spatial_layers, number_temporal_layers, max_quantizers[32], min_quantizers[32];
  int scaling_factor_num[4], scaling_factor_den[4], layer_target_bitrate[32], framerate_factor[8];
} aom_svc_params_t;
typedef struct { int reference[7], ref_idx[7], refresh[8]; } aom_svc_ref_frame_config_t;
typedef struct { int h_scaling_mode, v_scaling_mode; } aom_scaling_mode_t;

aom_codec_iface_t *aom_codec_av1_cx(void);
const char *aom_codec_version_str(void);
const char *aom_codec_err_to_string(int err);
const char *aom_codec_error_detail(const aom_codec_ctx_t *ctx);
int aom_codec_enc_config_default(aom_codec_iface_t *iface, aom_codec_enc_cfg_t *cfg, unsigned int usage);
int aom_codec_enc_init_ver(aom_codec_ctx_t *ctx, aom_codec_iface_t *iface, const aom_codec_enc_cfg_t *cfg,
                           long flags, int version);
int aom_codec_enc_config_set(aom_codec_ctx_t *ctx, const aom_codec_enc_cfg_t *cfg);
int aom_codec_set_option(aom_codec_ctx_t *ctx, const char *name, const char *value);
int aom_codec_control(aom_codec_ctx_t *ctx, int id, ...);
int aom_codec_encode(aom_codec_ctx_t *ctx, const aom_image_t *img, int64_t pts, unsigned long duration, long flags);
const aom_codec_cx_pkt_t *aom_codec_get_cx_data(aom_codec_ctx_t *ctx, const void **iter);
int aom_codec_destroy(aom_codec_ctx_t *ctx);
aom_image_t *aom_img_wrap(aom_image_t *img, int fmt, unsigned int w, unsigned int h, unsigned int align,
                          unsigned char *data);
"""
