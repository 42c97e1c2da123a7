import { Call, Pages } from './call.ts';
import type {
  AccountMethods,
  AdministrationMethods,
  EventsMethods,
  FeedsMethods,
  ForecastsMethods,
  KeysMethods,
  MarketMethods,
  Methods,
  ScreenerMethods,
  SeriesMethods,
  SessionsMethods,
  WebhooksMethods,
  WorkspacesMethods,
} from './generated/methods.ts';
import { operations } from './generated/operations.ts';
import type { CreateForecastInput, Data, EnsembleForecast, Inputs, ProofFile } from './generated/types.ts';
import { type AlmanacOptions, type CallOptions, readSettings, type Settings } from './options.ts';
import { type Verdict, verifyProof } from './proof.ts';
import type { Input, Operation, OperationEntry, OperationId } from './request.ts';
import { type RunOptions, runForecast } from './run-forecast.ts';
import { send } from './send.ts';
import { watch } from './watch.ts';

/** The operations that return one reply, which `call` can send. */
export type CallableId = Exclude<OperationId, 'watchForecast'>;

export interface RunForecast {
  /**
   * Creates a forecast, follows it until it ends, and returns it with its result. Throws a ForecastFailedError if it fails
   * or is canceled.
   */
  run(input: CreateForecastInput, options?: RunOptions): Promise<EnsembleForecast>;
}

export interface ProofMethods {
  /** Verifies a proof offline: see `verifyProof`. */
  verify(proof: string | ProofFile): Promise<Verdict>;
}

/**
 * A client of the API of Almanac. Every operation is a method of a namespace.
 *
 * @example
 * const almanac = new Almanac({ url: 'https://almanac.example', key });
 * const forecast = await almanac.forecasts.run({ source, horizon: 12 });
 */
export class Almanac implements Methods {
  readonly account: AccountMethods;
  readonly administration: AdministrationMethods;
  readonly events: EventsMethods;
  readonly feeds: FeedsMethods;
  readonly forecasts: ForecastsMethods & RunForecast;
  readonly keys: KeysMethods;
  readonly market: MarketMethods;
  readonly proof: ProofMethods;
  readonly screener: ScreenerMethods;
  readonly series: SeriesMethods;
  readonly sessions: SessionsMethods;
  readonly webhooks: WebhooksMethods;
  readonly workspaces: WorkspacesMethods;
  readonly #settings: Settings;

  constructor(options: AlmanacOptions) {
    this.#settings = readSettings(options);
    const methods = this.#buildMethods();
    this.account = methods.account;
    this.administration = methods.administration;
    this.events = methods.events;
    this.feeds = methods.feeds;
    const run: RunForecast['run'] = (input, given = {}) => runForecast(methods.forecasts, input, given);
    this.forecasts = { ...methods.forecasts, run };
    this.keys = methods.keys;
    this.market = methods.market;
    this.proof = { verify: verifyProof };
    this.screener = methods.screener;
    this.series = methods.series;
    this.sessions = methods.sessions;
    this.webhooks = methods.webhooks;
    this.workspaces = methods.workspaces;
  }

  /** Calls an operation by its id in the OpenAPI document. */
  call<Id extends CallableId>(id: Id, input: Inputs[Id], options?: CallOptions): Call<Data[Id]> {
    return this.#call({ id, ...(operations[id] as OperationEntry) }, input as Input, options) as Call<Data[Id]>;
  }

  #buildMethods(): Methods {
    const methods: Record<string, Record<string, unknown>> = {};
    for (const [id, entry] of Object.entries<OperationEntry>(operations)) {
      const operation: Operation = { id: id as OperationId, ...entry };
      methods[entry.namespace] ??= {};
      (methods[entry.namespace] as Record<string, unknown>)[entry.name] = entry.stream
        ? (input: Input, options: CallOptions = {}) => watch(this.#settings, operation, input, options)
        : (input?: Input, options?: CallOptions) => this.#call(operation, input, options);
    }
    return methods as unknown as Methods;
  }

  #call(operation: Operation, input: Input = {}, options: CallOptions = {}): Call<unknown> {
    const sent = send(this.#settings, operation, input, options);
    if (operation.items === null) return new Call(sent);
    return new Pages(sent, operation.items, async (cursor) => {
      return (await send(this.#settings, operation, { ...input, cursor }, options)).data;
    });
  }
}
