export { boundedGet, type OutboundGet, type OutboundReply } from './get.ts';
export { OUTBOUND_FAULTS, OutboundError, type OutboundFault } from './outbound-error.ts';
export { type OutboundStream, type OutboundStreamOptions, openStream } from './stream.ts';
