"""Every family is a function (draws, rows, points) -> (rows, points), with no loop over rows."""
from synthesis.families.arima import arima
from synthesis.families.bounded import bounded
from synthesis.families.breaks import breaks
from synthesis.families.business import business
from synthesis.families.calendar import calendar
from synthesis.families.clock import clock
from synthesis.families.counts import counts
from synthesis.families.diffusion import diffusion
from synthesis.families.epidemic import epidemic
from synthesis.families.gaussian_process import gaussian_process
from synthesis.families.intermittent import intermittent
from synthesis.families.kernels import kernels
from synthesis.families.load import load
from synthesis.families.nested import nested
from synthesis.families.prices import prices
from synthesis.families.regimes import regimes
from synthesis.families.self_exciting import self_exciting
from synthesis.families.sensors import sensors
from synthesis.families.smoothing import smoothing
from synthesis.families.spikes import spikes
from synthesis.families.structural import structural
from synthesis.families.yearly_cycle import yearly_cycle

FAMILIES = {
    family.__name__: family
    for family in (
        structural, business, smoothing, arima, gaussian_process, diffusion, regimes,
        prices, intermittent, counts, bounded, clock, yearly_cycle, breaks,
        calendar, nested, load, spikes, epidemic, self_exciting, sensors, kernels,
    )
}
