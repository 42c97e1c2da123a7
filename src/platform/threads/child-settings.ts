/** The flags of the launcher, for child processes. Those of this process could make a child debug or test as well. */
export const CHILD_FLAGS: readonly string[] = [
  '--disable-warning=ExperimentalWarning',
  '--preserve-symlinks',
  '--preserve-symlinks-main',
];

/** Returns the environment of a child process: none of the keys and passwords in the environment of the service. */
export function childEnvironment(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}
