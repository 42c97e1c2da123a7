export { CHILD_FLAGS, childEnvironment } from './child-settings.ts';
export { Moved, type Session, serveSessions } from './serve-sessions.ts';
export { ThreadPool, type ThreadSession } from './thread-pool.ts';
