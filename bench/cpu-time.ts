import { setMeters } from '../src/platform/telemetry/metrics.ts';

/**
 * Returns a function that reads the CPU milliseconds that this process and its engines have used. Those of an engine are
 * known after each forecast.
 */
export function meterCpu(): () => number {
  let engineSeconds = 0;
  setMeters({
    count: (name, _labels, by) => {
      if (name === 'engine_cpu_seconds_total') engineSeconds += by;
    },
    change: () => {},
    observe: () => {},
  });
  return () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000 + engineSeconds * 1_000;
  };
}
