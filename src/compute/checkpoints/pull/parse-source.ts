import { CheckpointError, type CheckpointModel, CONFIG_FILE, isCheckpointName, WEIGHTS_FILE } from '../checkpoint.ts';
import type { ConfigValues } from '../manifest.ts';

/** The files to download, and the hash that the weights must have. */
export interface PullSource {
  readonly model: CheckpointModel;
  readonly name: string;
  readonly configUrl: string;
  readonly weightsUrl: string;
  /** The hash of the weights. */
  readonly sha256: string;
  /** The known release with this hash, if there is one. It determines the size, the config and the license. */
  readonly release: Release | undefined;
}

export interface PullSourceOptions {
  /** The URL of the folder with the two files, or of the weights with config.json beside them. */
  readonly from?: string | undefined;
  readonly sha256?: string | undefined;
  readonly name?: string | undefined;
}

/** Returns the source that the options describe, or the pinned release of the model if there are no options. */
export function parseSource(model: CheckpointModel, { from, sha256, name }: PullSourceOptions = {}): PullSource {
  const standard = DEFAULT_RELEASES[model];
  if (from === undefined && sha256 === undefined && name === undefined) {
    return { model, name: standard.name, ...fileUrls(standard.url), sha256: standard.sha256, release: standard };
  }
  if (from === undefined || sha256 === undefined) throw invalid('--from and --sha256 must be given together');
  if (!/^[0-9a-f]{64}$/i.test(sha256)) throw invalid('--sha256 must be the 64 hexadecimal digits of the weights’ hash');
  const release = findRelease(sha256.toLowerCase());
  const chosen = name ?? release?.name ?? model;
  if (!isCheckpointName(chosen)) {
    throw invalid(
      '--name must have at most 64 characters (a-z, 0-9, dots, dashes, underscores) and begin with a letter or digit',
    );
  }
  return { model, name: chosen, ...fileUrls(from), sha256: sha256.toLowerCase(), release };
}

function fileUrls(from: string): { configUrl: string; weightsUrl: string } {
  const url = URL.parse(from);
  if (url === null || !/^https?:$/.test(url.protocol)) throw invalid('--from must be an http or https address');
  // The address is stored in the manifest and displayed, so it must hold no secret. And the signature in a query would
  // be valid for only one of the two files.
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw invalid('--from must have no password, query or fragment');
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

/** Published weights with their config and license. They are the same whichever server they are downloaded from. */
interface Release {
  readonly model: CheckpointModel;
  readonly name: string;
  /** The URL of the folder with its files. */
  readonly url: string;
  readonly sha256: string;
  readonly size: number;
  readonly license: string;
  /** Contains every field, because an additional field could change the model. */
  readonly config: ConfigValues;
}

/** Datadog's Toto 2.0 with 4 million parameters. The URL names a revision, because a branch may change. */
export const TOTO_2_4M: Release = {
  model: 'toto',
  name: 'toto-2.0-4m',
  url: 'https://huggingface.co/Datadog/Toto-2.0-4m/resolve/8306a9801cf98c0f5ffe4b2dcc8f496e616d84d9/',
  sha256: '316660d5afb47943e531f39242e0b02ca0b8bb73be5709dfe07ca80dfce9805e',
  size: 16_582_848,
  license: 'Apache-2.0',
  config: {
    attn_bias: true,
    d_ff: 688,
    d_model: 256,
    dropout_p: 0,
    heads_per_group: 1,
    layer_group_size: 4,
    mlp_bias: false,
    norm_eps: 1e-4,
    norm_include_weight: false,
    num_groups: 4,
    num_heads: 4,
    num_layers: 4,
    num_output_patches: 1,
    num_variate_layers_per_group: 1,
    patch_size: 32,
    per_dim_scale: true,
    pre_norm: true,
    qk_dim: 64,
    qk_norm: false,
    qk_norm_include_weight: false,
    residual_attn_ratio: 5.136215466577748,
    residual_mult: 0.75,
    use_xpos: true,
    v_dim: 64,
    variate_layer_first: false,
  },
};

/** The releases that `pull` installs when only the model is named. */
const DEFAULT_RELEASES: Readonly<Record<CheckpointModel, Release>> = { toto: TOTO_2_4M };

/** Returns the known release whose weights have this hash. */
function findRelease(sha256: string): Release | undefined {
  return Object.values(DEFAULT_RELEASES).find((release) => release.sha256 === sha256);
}
