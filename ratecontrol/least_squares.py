"""Recursive least squares for three coefficients, written out, because it runs with every frame."""


class ThreeCoefficients:
    """The uncertainty of three coefficients (their covariance), and how far an error of prediction should move each.

    Kalman form: between frames the coefficients wander by `drift` (variances). Driven by the rate model, once a frame.
    """

    def __init__(self, variances: tuple[float, float, float], drift: tuple[float, float, float]) -> None:
        self._covariance = variances[0], 0.0, 0.0, variances[1], 0.0, variances[2]
        self._drift = drift

    def gains(self, x: float, y: float, z: float, noise: float) -> tuple[float, float, float]:
        """What to multiply an error by for each coefficient, seen with these regressors and this variance of noise."""
        xx, xy, xz, yy, yz, zz = self._covariance
        along_x = xx * x + xy * y + xz * z
        along_y = xy * x + yy * y + yz * z
        along_z = xz * x + yz * y + zz * z
        scale = noise + along_x * x + along_y * y + along_z * z
        gain_x, gain_y, gain_z = along_x / scale, along_y / scale, along_z / scale
        drift_x, drift_y, drift_z = self._drift
        self._covariance = (
            xx - gain_x * along_x + drift_x,
            xy - gain_x * along_y,
            xz - gain_x * along_z,
            yy - gain_y * along_y + drift_y,
            yz - gain_y * along_z,
            zz - gain_z * along_z + drift_z,
        )
        return gain_x, gain_y, gain_z
