// Run by the launcher after it has installed the packages. Loads what a forecast loads, so that Node compiles it now and
// the first forecast is as fast as later ones. A test checks that it loads nearly everything.

await Promise.all([import('./run-command-line.ts'), import('../compute/index.ts'), import('../forecasts/index.ts')]);
