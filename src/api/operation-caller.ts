import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS, decideCaller, type Principal } from '../access/index.ts';
import {
  ACTION_SCOPES,
  Fault,
  type Operation,
  type OperationId,
  type Operations,
  type Output,
  operations,
} from '../contract/index.ts';
import type { Call, Handler } from './call.ts';
import { chargeWork, countRequest, reauthorize } from './edge/admit.ts';
import { signalOf } from './edge/client-signal.ts';
import { createCookieJar } from './edge/cookies.ts';
import type { UploadBody } from './edge/upload-body.ts';
import { parsePart } from './edge/validate.ts';
import { callerDenied } from './faults.ts';
import { handlers } from './handlers/index.ts';
import { countWorkTokens, startRequestWork } from './limits/refused-work.ts';
import { canCostWork, runLimited } from './limits/run-limited.ts';
import type { ApiParts } from './parts.ts';
import { Download, etagOf, RenderedBody, Versioned } from './responses.ts';

/** The parts of a request to an operation. They are parsed by its schemas, as those of a request to the API are. */
export interface OperationInput {
  readonly params?: object;
  readonly query?: object;
  readonly body?: object;
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  /** The file of an operation that receives one. */
  readonly upload?: UploadBody;
}

/** The data of a response with the version that `ifMatch` of a later change names. */
export interface VersionedData<Data> {
  readonly data: Data;
  readonly etag: string;
}

/**
 * Calls operations of the contract within a request for something else, such as a page: each call is counted, decided by
 * the policy, parsed and limited as a request to the API is.
 */
export class OperationCaller {
  protected readonly parts: ApiParts;
  protected readonly request: FastifyRequest;
  protected readonly reply: FastifyReply;
  #principal: Principal;

  constructor(parts: ApiParts, request: FastifyRequest, reply: FastifyReply, principal: Principal) {
    this.parts = parts;
    this.request = request;
    this.reply = reply;
    this.#principal = principal;
  }

  get principal(): Principal {
    return this.#principal;
  }

  protected set principal(principal: Principal) {
    this.#principal = principal;
  }

  /** Throws a fault if the policy denies the caller an operation. */
  requireAllowed(id: OperationId): void {
    const decision = decideCaller(this.#principal, operations[id].action);
    if (!decision.allowed) throw callerDenied(decision.code, decision.missingScope);
  }

  /** Calls an operation and returns the data of its response, without the envelope. */
  async call<Id extends OperationId>(id: Id, input: OperationInput = {}): Promise<Output<Operations[Id]>> {
    return toData(await this.run(id, input));
  }

  /** The same, with the version of the data, for operations whose response has an ETag. */
  async callVersioned<Id extends OperationId>(
    id: Id,
    input: OperationInput = {},
  ): Promise<VersionedData<Output<Operations[Id]>>> {
    const data = await this.call(id, input);
    return { data, etag: etagOf(operations[id].reply.wrap(data)) };
  }

  /** Calls an operation that returns a file, which the page sends as it is. */
  async callForFile(id: OperationId, input: OperationInput = {}): Promise<RenderedBody> {
    const result = await this.run(id, input);
    if (!(result instanceof RenderedBody)) throw new Error(`The operation ${id} did not return a file.`);
    return result;
  }

  protected async run(id: OperationId, input: OperationInput): Promise<unknown> {
    const operation: Operation = operations[id];
    // The type of each handler depends on its operation; this function treats all of them as handlers of any operation.
    const handler = handlers[id] as unknown as Handler<Operation>;
    const call = await this.#admit(operation, input);
    const work = canCostWork(operation) ? startRequestWork(this.request) : null;
    try {
      return await runLimited(operation, call, { work, raw: this.reply.raw }, () => handler(call));
    } catch (error) {
      const tokens = work && isRefusal(error) ? countWorkTokens(work, this.request) : 0;
      if (tokens > 0) await chargeWork(this.parts, this.#principal, this.request, this.reply, tokens);
      throw error;
    }
  }

  /** Counts a call, applies the policy and parses its input. */
  async #admit(operation: Operation, input: OperationInput): Promise<Call<Operation>> {
    const [parts, request, reply] = [this.parts, this.request, this.reply];
    const isOpen = ACTION_SCOPES[operation.action] === null;
    const principal = isOpen ? ANONYMOUS : this.#principal;
    const rateLimit = await countRequest(parts, principal, request, reply, operation.weight);
    const decision = decideCaller(principal, operation.action);
    if (!decision.allowed) throw callerDenied(decision.code, decision.missingScope);
    return {
      parts,
      principal,
      rateLimit,
      cookies: createCookieJar(request, reply),
      userAgent: request.headers['user-agent'] ?? null,
      address: request.ip,
      idempotencyKey: input.idempotencyKey ?? null,
      ifMatch: input.ifMatch ?? null,
      lastEventId: null,
      reauthorize: () => reauthorize(parts, operation.action, request, principal),
      get signal() {
        return signalOf(reply);
      },
      params: operation.params && parsePart(operation.params, input.params ?? {}, 'path'),
      query: operation.query && parsePart(operation.query, input.query ?? {}, 'query string'),
      body: operation.body && parsePart(operation.body, input.body ?? {}, 'body'),
      upload: operation.upload && input.upload,
    };
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Fault && error.status >= 400 && error.status <= 499;
}

async function toData<Data>(result: unknown): Promise<Data> {
  if (result instanceof Versioned || result instanceof Download) return result.data as Data;
  if (result instanceof RenderedBody) return JSON.parse(await result.text());
  return result as Data;
}
