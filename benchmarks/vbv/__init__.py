"""`rtc bench vbv`: how well rate control keeps VBV delay and target, and what that costs in quality and time."""
