// Apart from the messages of the threads, so that Stan's thread does not load the engine.

/**
 * Size of the young generation of each thread. Fits allocate short-lived values only, so a small one is enough; the default
 * is several times as large, and for a handful of threads that is a third of the memory of the process.
 */
export const YOUNG_GENERATION_MB = 4;
