import { type CheckpointModel, CONFIG_FILE, WEIGHTS_FILE } from '../checkpoint.ts';
import { CheckpointError } from '../checkpoint-error.ts';
import { isCheckpointName } from '../checkpoint-id.ts';
import { DEFAULT_RELEASES, findRelease, type Release } from '../releases.ts';

/** What to download, and what it must turn out to be. */
export interface PullSource {
  readonly model: CheckpointModel;
  readonly name: string;
  readonly configUrl: string;
  readonly weightsUrl: string;
  /** Of the weights. */
  readonly sha256: string;
  /** Known by the hash: then size, config and licence are known as well. */
  readonly release: Release | undefined;
}

export interface SourceWords {
  /** The folder of the two files, or the weights with config.json beside them. */
  readonly from?: string | undefined;
  readonly sha256?: string | undefined;
  readonly name?: string | undefined;
}

/** The source that a person named, or the release that is pinned for the model. */
export function parseSource(model: CheckpointModel, { from, sha256, name }: SourceWords = {}): PullSource {
  const standard = DEFAULT_RELEASES[model];
  if (from === undefined && sha256 === undefined && name === undefined) {
    return { model, name: standard.name, ...filesAt(standard.url), sha256: standard.sha256, release: standard };
  }
  if (from === undefined || sha256 === undefined) throw invalid('--from and --sha256 go together');
  if (!/^[0-9a-f]{64}$/i.test(sha256)) throw invalid('--sha256 must be the 64 hexadecimal digits of the weights’ hash');
  const release = findRelease(sha256.toLowerCase());
  const chosen = name ?? release?.name ?? model;
  if (!isCheckpointName(chosen)) {
    throw invalid('--name must be up to 64 of a-z, 0-9, dot, dash and underscore, a letter or digit first');
  }
  return { model, name: chosen, ...filesAt(from), sha256: sha256.toLowerCase(), release };
}

function filesAt(from: string): { configUrl: string; weightsUrl: string } {
  const url = URL.parse(from);
  if (url === null || !/^https?:$/.test(url.protocol)) throw invalid('--from must be an http or https address');
  // The address is kept in the manifest and shown to others; and one signature never fits two files.
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw invalid('--from must be without a password, query and fragment');
  }
  const isFile = url.pathname.endsWith('.safetensors');
  const folder = isFile || url.pathname.endsWith('/') ? url : new URL(`${url.href}/`);
  return {
    configUrl: new URL(CONFIG_FILE, folder).href,
    weightsUrl: isFile ? url.href : new URL(WEIGHTS_FILE, folder).href,
  };
}

function invalid(message: string): CheckpointError {
  return new CheckpointError('INVALID_SOURCE', `${message}.`);
}
