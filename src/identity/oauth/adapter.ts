import type { Adapter, AdapterPayload } from 'oidc-provider';
import { isRetryableConflict, isUnavailable } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { asking } from './asking.ts';
import { clientMetadata } from './client-metadata.ts';
import { endGrant } from './grants.ts';
import { consumeRecord, findRecord, findRecordByUid, grantOfRecord, newRecord, saveRecord } from './records.ts';
import { removeRecord, removeRecordsOfGrant } from './remove-records.ts';
import { saveGrant } from './save-grant.ts';

export interface AdapterParts {
  readonly context: IdentityContext;
  /** The error by which the provider tells an application that its code or token is no good. */
  readonly invalidGrant: (detail: string) => Error;
  /** The same for a moment in which the database cannot be asked. */
  readonly unavailable: (cause: unknown) => Error;
}

/** Keeps what the provider wants kept in our database. */
export function adapterOf(parts: AdapterParts): (model: string) => Adapter {
  return (model) => (model === 'Client' ? clientAdapter(parts) : recordAdapter(parts, model));
}

function recordAdapter({ context, invalidGrant, unavailable }: AdapterParts, model: string): Adapter {
  const { database, clock } = context;
  const ask = askWith(unavailable);
  return {
    upsert: (id, payload, expiresIn = 0) =>
      ask(() => {
        const record = newRecord(clock.now(), model, id, { ...payload }, expiresIn);
        return model === 'Grant' ? saveGrant(context, record, asking.getStore()) : saveRecord(database, record);
      }),
    find: (id) => ask(() => findRecord(database, model, id)) as Promise<AdapterPayload | undefined>,
    findByUid: (uid) => ask(() => findRecordByUid(database, model, uid)) as Promise<AdapterPayload | undefined>,
    findByUserCode: async () => undefined,
    destroy: (id) => ask(() => removeRecord(database, model, id)),
    revokeByGrantId: (grantId) => ask(() => removeRecordsOfGrant(database, model, grantId)),
    // The provider looks first and consumes then: of those who looked at the same time all but one find out here.
    consume: (id) =>
      ask(async () => {
        if (await consumeRecord(context, model, id)) return;
        const grantId = await grantOfRecord(database, model, id);
        if (grantId !== null)
          await endGrant(context, grantId, { kind: 'token_reuse_detected', origin: asking.getStore()?.origin });
        throw invalidGrant(`${model} used twice at the same time`);
      }),
  };
}

/** Applications are made and removed by the command line; the provider only reads them. */
function clientAdapter({ context, unavailable }: AdapterParts): Adapter {
  const refuse = async () => {
    throw new Error('The provider does not change clients.');
  };
  return {
    find: (id) =>
      askWith(unavailable)(() => clientMetadata(context.database, id)) as Promise<AdapterPayload | undefined>,
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    upsert: refuse,
    destroy: refuse,
    consume: refuse,
    revokeByGrantId: refuse,
  };
}

/** A database that is away or busy is not a fault of the provider, and passes. */
function askWith(unavailable: (cause: unknown) => Error) {
  return async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await ask();
    } catch (error) {
      throw isUnavailable(error) || isRetryableConflict(error) ? unavailable(error) : error;
    }
  };
}
