"""Short simulated calls for tests: small pictures, so that hundreds of frames take a second."""

from rtc.metrics.direction_records import DirectionRecords
from rtc.sim.networks import load_network
from rtc.sim.scenario import Scenario
from rtc.sim.session import CallObservers, CallOutcome, SimulatedCall

SMALL = {"size": "160x90", "fps": 30, "duration": 4, "quality": False, "video": False, "report": False}


def small_scenario(**fields: object) -> Scenario:
    return Scenario.of(SMALL | fields)


def run_small_call(observers: CallObservers | None = None, **fields: object) -> CallOutcome:
    scenario = small_scenario(**fields)
    network = load_network(
        scenario.network,
        loss=scenario.loss,
        delay_trace=scenario.delay_trace,
        rtt_ms=scenario.rtt_ms,
        capacity_kbps=scenario.capacity_kbps,
    )
    with SimulatedCall(scenario, network) as call:
        return call.run(observers)


def small_direction(**fields: object) -> DirectionRecords:
    """The direction a to b of a one-way call."""
    return run_small_call(one_way=True, **fields).directions["a_to_b"]
