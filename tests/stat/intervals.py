"""What counts of errors say of their probability."""


def interval(wrong, asked):
    """Of 95%, by Clopper and Pearson. Needs scipy."""
    from scipy.stats import beta

    low = beta.ppf(0.025, wrong, asked - wrong + 1) if wrong else 0.0
    high = beta.ppf(0.975, wrong + 1, asked - wrong) if wrong < asked else 1.0
    return float(low), float(high)
