import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Foundation } from '../../compose/index.ts';
import {
  type Config,
  IS_PRIVATE_FILE,
  SECRET_SETTING_NAMES,
  SIGNING_KEY_NAMES,
  SIGNING_KEYS,
  type SigningKeyFacts,
} from '../../platform/index.ts';
import { kindOf, OAUTH_KIND, WEBHOOK_KIND } from './kinds.ts';
import { PRIVATE_FILES, SETTING_PURPOSES } from './purposes.ts';

/** A secret of the installation, without its value. */
export interface SecretRow {
  /** The kind for `almanac secret rotate`, the setting, or the name of the file. */
  readonly kind: string;
  readonly protects: string;
  readonly place: string;
  /** When it was created or last rotated; null if that is not known. */
  readonly since: string | null;
  /** Until when an earlier one is accepted, the newest first; `while used` as long as a webhook has a secret of it. */
  readonly earlier_until: readonly string[];
  readonly rotate: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Lists the secrets that exist: those in tables, those of settings and those in files. */
export async function listSecrets(foundation: Foundation, environment: Environment): Promise<readonly SecretRow[]> {
  return [
    ...(await listStored(foundation)),
    ...listSettings(foundation.config, environment),
    ...listFiles(foundation.config),
    ...ELSEWHERE,
  ];
}

async function listStored({ database }: Foundation): Promise<readonly SecretRow[]> {
  const [{ listSigningKeys }, { listSigningKeyTimes }] = await Promise.all([
    import('../../platform/index.ts'),
    import('../../identity/index.ts'),
  ]);
  const facts = await listSigningKeys(database);
  const [newest, ...earlier] = await listSigningKeyTimes(database);
  return [
    {
      kind: OAUTH_KIND,
      protects: 'access tokens of OAuth applications',
      place: 'table oauth_key',
      since: newest?.createdAt.toISOString() ?? null,
      earlier_until: earlier.flatMap(({ acceptedUntil }) =>
        acceptedUntil === null ? [] : [acceptedUntil.toISOString()],
      ),
      rotate: `almanac secret rotate ${OAUTH_KIND}`,
    },
    ...SIGNING_KEY_NAMES.map((name) => describeKey(name, facts)),
    {
      kind: WEBHOOK_KIND,
      protects: 'deliveries of one webhook',
      place: 'derived from the key webhooks, not stored',
      since: null,
      earlier_until: [],
      rotate: `almanac secret rotate ${WEBHOOK_KIND} WEBHOOK_ID, or its owner`,
    },
  ];
}

function describeKey(name: (typeof SIGNING_KEY_NAMES)[number], facts: readonly SigningKeyFacts[]): SecretRow {
  const found = facts.find((one) => one.name === name);
  return {
    kind: kindOf(name),
    protects: SIGNING_KEYS[name].protects,
    place: 'table signing_key',
    since: found?.createdAt?.toISOString() ?? null,
    earlier_until: (found?.earlier ?? []).map(({ acceptedUntil }) => acceptedUntil?.toISOString() ?? 'while used'),
    rotate: `almanac secret rotate ${kindOf(name)}`,
  };
}

function listSettings({ secretFiles }: Config, environment: Environment): readonly SecretRow[] {
  return SECRET_SETTING_NAMES.flatMap((name) => {
    const file = secretFiles.find((one) => one.name === name);
    if (file === undefined && !environment[name]?.trim()) return [];
    return [
      {
        kind: name,
        protects: SETTING_PURPOSES[name] ?? '',
        place: file === undefined ? 'environment' : describeFile(file.path),
        since: file === undefined ? null : modifiedAt(file.path),
        earlier_until: [],
        rotate: file === undefined ? 'change it, then restart one process after the other' : 'replace the file',
      },
    ];
  });
}

function listFiles({ dataFolder, stamps: { stamper }, warehouse: { bigquery } }: Config): readonly SecretRow[] {
  const named = [
    ...(stamper?.kind === 'chain' ? [['ALMANAC_CHAIN_KEY_FILE', stamper.keyPath] as const] : []),
    ...(bigquery === null ? [] : [['ALMANAC_BIGQUERY_CREDENTIALS', bigquery.credentialsPath] as const]),
  ];
  const inData = existsSync(dataFolder) ? readdirSync(dataFolder).filter((name) => IS_PRIVATE_FILE.test(name)) : [];
  return [...named, ...inData.sort().map((name) => [name, join(dataFolder, name)] as const)].map(([kind, path]) => ({
    kind,
    ...(PRIVATE_FILES[kind] ?? { protects: 'unknown: not a file of the service', rotate: 'see who wrote it' }),
    place: describeFile(path),
    since: modifiedAt(path),
    earlier_until: [],
  }));
}

function describeFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? `${path} (missing)` : `${path} (mode ${formatMode(found.mode)})`;
}

function formatMode(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, '0');
}

function modifiedAt(path: string): string | null {
  return statSync(path, { throwIfNoEntry: false })?.mtime.toISOString() ?? null;
}

/** Secrets that this installation does not hold, or holds only as hashes. */
const ELSEWHERE: readonly SecretRow[] = [
  {
    kind: 'backup key',
    protects: 'backups',
    place: 'a file or passphrase that you keep elsewhere',
    since: null,
    earlier_until: [],
    rotate: 'make the next backup with another one, and keep the earlier one with its backups',
  },
  {
    kind: 'API keys, passwords, sessions',
    protects: 'accounts',
    place: 'only their hashes, in the database',
    since: null,
    earlier_until: [],
    rotate: 'almanac key revoke, almanac user password, or their owners',
  },
];
