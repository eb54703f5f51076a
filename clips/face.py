"""Where the face of the photograph `astronaut` is, and how its mouth opens and its lids close.

Places are (column, row) in pixels of the photograph; arrays of places are float64 and the arithmetic on them is
elementwise, so that every machine gets the same answer.
"""

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.float64]

HEAD = (228, 96)
"""Centre of the head."""
EYES = ((202, 101), (247, 103))
LIPS = (222, 149)
"""Where the lips part: the lower edge of the teeth in the middle of the mouth."""
CHIN_ROW = 184
MOUTH_HALF_WIDTH = 20
EYE_HALF_WIDTH = 12
_JAW_DROP = 8.0
"""How far the lower lip travels when the mouth is wide open."""
_LID_TRAVEL = 9.0


def open_mouth(columns: Places, rows: Places, openness: float) -> tuple[Places, NDArray[np.bool_]]:
    """For each place: the row whose pixel is seen there, and whether it is inside the mouth.

    All from the lip line to the chin moves down, most in the middle of the mouth, ever less towards the chin.
    """
    across = (columns - LIPS[0]) / MOUTH_HALF_WIDTH
    drop = np.maximum(_JAW_DROP * openness * (1.0 - across * across), 0.0)
    below = rows - (LIPS[1] - 6.0 * across * across)
    slack = np.clip((CHIN_ROW - rows) / 22.0, 0.0, 1.0)
    return np.where(below >= drop, rows - drop * slack, rows), (below > 0.0) & (below < drop)


def close_lid(columns: Places, rows: Places, eye: tuple[int, int], closedness: float) -> Places:
    """For each place near an eye, the row whose pixel is seen there: the skin above stretches down over the eye."""
    across = (columns - eye[0]) / EYE_HALF_WIDTH
    crease = eye[1] - 5.0
    below = rows - crease
    travel = np.maximum(_LID_TRAVEL * closedness * (1.0 - across * across), 0.0)
    covered = (below > 0.0) & (below < travel)
    return np.where(covered, crease - 2.0 + 3.0 * below / np.maximum(travel, 1.0), rows)
