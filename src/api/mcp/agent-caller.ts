import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../access/index.ts';
import type { Fault } from '../../contract/index.ts';
import { count } from '../../platform/index.ts';
import { toFault } from '../edge/error-response.ts';
import { operationName } from '../edge/request-telemetry.ts';
import { EventStream } from '../event-stream.ts';
import type { OpenStreams } from '../open-streams.ts';
import { OperationCaller } from '../operation-caller.ts';
import type { ApiParts } from '../parts.ts';

/** The caller behind a request to /mcp. Tools reach the service only through it. */
export class AgentCaller extends OperationCaller {
  readonly #streams: OpenStreams;

  constructor(
    parts: ApiParts,
    request: FastifyRequest,
    reply: FastifyReply,
    principal: Principal,
    streams: OpenStreams,
  ) {
    super(parts, request, reply, principal);
    this.#streams = streams;
  }

  get requestId(): string {
    return this.request.id;
  }

  get siteUrl(): string {
    return this.parts.siteUrl();
  }

  get now(): Date {
    return this.parts.clock.now();
  }

  /** Whether results are compared with their schemas, as responses of the API are in development and tests. */
  get checksResults(): boolean {
    return this.parts.config.checkResponses;
  }

  /** Returns the fault to report for a thrown value, as the API would report it. */
  faultOf(error: unknown): Fault {
    const fault = toFault(error, this.request);
    if (fault.code === 'RATE_LIMITED') count('rate_limited_total', { operation: operationName(this.request) });
    return fault;
  }

  /**
   * Returns when a forecast has ended, after `waitMs` milliseconds, or when the signal aborts. Does not wait if the caller
   * follows too many forecasts already.
   */
  async waitForEnd(forecastId: string, waitMs: number, signal: AbortSignal): Promise<void> {
    if (waitMs <= 0) return;
    const stream = await this.run('watchForecast', { params: { forecast_id: forecastId } });
    if (!(stream instanceof EventStream)) return;
    await stream.waitForEnd(
      this.reply,
      this.#streams,
      AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(waitMs))]),
    );
  }
}
