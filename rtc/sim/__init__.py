"""Virtual time: the driver, the scenario, and the codecs it runs."""
