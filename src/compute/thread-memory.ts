/**
 * What fits leave behind is short-lived, so a small nursery does: each thread would otherwise keep one several times as
 * large, which for a handful of threads is a third of the memory of the process.
 */
export const NURSERY_MB = 4;
