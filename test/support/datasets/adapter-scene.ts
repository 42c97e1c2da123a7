import type { EconomicAdapter, EconomicFrequency, Selection } from '../../../src/datasets/providers/provider.ts';
import type { WireServer } from '../platform/wire-server.ts';

/** An adapter whose provider is a server on this machine, with series whose rows are known. */
export interface AdapterScene extends AsyncDisposable {
  readonly adapter: EconomicAdapter;
  readonly server: WireServer;
  /** At least one series of each offered frequency that the protocol has. */
  readonly series: readonly SceneSeries[];
  /** Series that exist, but whose frequency is not offered, with the name of the frequency. */
  readonly unsupported: readonly { readonly selection: Selection; readonly name: string }[];
  /** A series id that does not exist. */
  readonly unknownId: string;
  /** A selection that names no series, although its id and all its values exist; null if there can be none. */
  readonly emptySelection: Selection | null;
  /** A text that must occur in no error, log, span or stored row; null if the provider has no key. */
  readonly key: string | null;
  /** The series ids that the listing contains. */
  readonly listed: readonly string[];
  /**
   * Reads the rows of a reply to the request for observations of `series[0]`, independently of the adapter: the value
   * by the date of the row, NaN for a missing one. Null if no valid reply of the protocol has this text.
   */
  readReply(text: string): ReadonlyMap<string, number> | null;
}

/** A series of the server. */
export interface SceneSeries {
  readonly selection: Selection;
  readonly frequency: EconomicFrequency;
  /** The expected rows, oldest first: the date of the row's timestamp, and its value; NaN for a missing one. */
  readonly rows: readonly (readonly [date: string, value: number])[];
  /** The expected flags by date. */
  readonly flags?: Readonly<Record<string, string>>;
}
