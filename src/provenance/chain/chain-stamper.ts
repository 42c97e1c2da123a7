import { privateKeyToAccount } from 'viem/accounts';
import { ConfigError, isRetryableConflict } from '../../platform/index.ts';
import { setCid } from '../documents/content-ids.ts';
import type { WaitCode } from '../receipts/tables.ts';
import { markWaiting, releaseOtherChains } from '../receipts/waiting-proofs.ts';
import type { RoundOptions, StampContext, Stamper, StampRound } from '../stamping/stamper.ts';
import { bindAgain } from './bind-again.ts';
import { type ChainClient, createChainClient, NotACommitmentContract } from './chain-client.ts';
import { beginRound, type ChainRound, type ChainSettings, type ChainStamperOptions } from './chain-round.ts';
import { createJsonRpc, NodeRefusal, NodeUnavailable } from './json-rpc.ts';
import { resolveLostNonces } from './lost-transactions.ts';
import { resolveTakenNonce } from './recover-commitments.ts';
import { sendAgain } from './send-transactions.ts';
import { areWaiting, startTransactions } from './start-transactions.ts';
import { readWatched, type WatchedTransaction } from './transaction-rows.ts';
import { watchTransactions } from './watch-transactions.ts';

type Tally = { -readonly [Field in keyof StampRound]: StampRound[Field] };

/** Creates a stamper that commits proofs on an EVM chain. */
export function createChainStamper(context: StampContext, options: ChainStamperOptions): Stamper {
  const { url, chainId, collection, confirmations, timeoutMs = 20_000 } = options;
  const { batchSize = 200, maxOpen = 4, bumpAfterMs = 180_000, watchedBlocks = 64 } = options;
  const { takenAfterMs = 600_000 } = options;
  const account = privateKeyToAccount(options.key);
  const sender = account.address.toLowerCase();
  const contract = options.contract.toLowerCase();
  const limits = {
    confirmations: Math.max(1, confirmations),
    watchedBlocks,
    batchSize,
    maxOpen,
    bumpAfterMs,
    takenAfterMs,
  };
  const settings: ChainSettings = { chainId, contract, setCid: setCid(collection), ...limits };
  const connect = (signal: AbortSignal) => createChainClient(createJsonRpc({ url, timeoutMs, signal }));
  let isContractChecked = false;
  let areOthersReleased = false;
  /** The problems that were logged since the last round without one. */
  const problems = new Set<string>();
  const memory = {
    takenSince: new Map<string, Date>(),
    lostSince: new Map<string, Date>(),
    searchedAt: new Map<number, number>(),
  };
  const warnOnce: ChainRound['warnOnce'] = (fields, message, key) => logOnce('warn', fields, message, key);

  /** Throws a `ConfigError` if the settings name another chain or contract. */
  async function checkSettings(client: ChainClient): Promise<void> {
    const actual = await client.chainId();
    if (actual !== chainId) {
      throw new ConfigError(
        `ALMANAC_CHAIN_ID: is ${chainId}, but the node of ALMANAC_CHAIN_URL has the chain ${actual}.`,
      );
    }
    if (isContractChecked) return;
    if (!(await client.hasCode(contract))) {
      throw new ConfigError(`ALMANAC_CHAIN_CONTRACT: the chain ${chainId} has no contract at ${contract}.`);
    }
    try {
      await client.hasSet(contract, sender, settings.setCid);
    } catch (error) {
      if (!(error instanceof NotACommitmentContract)) throw error;
      throw new ConfigError(`ALMANAC_CHAIN_CONTRACT: the contract at ${contract} is not a commitment service.`);
    }
    isContractChecked = true;
  }

  async function runSteps(client: ChainClient, takesNew: boolean, tally: Tally): Promise<void> {
    const hasNew = () => areWaiting({ context }, takesNew ? 1 : batchSize);
    const watched = await readWatched(context.database, chainId);
    if (areOthersReleased && watched.length === 0 && !(await hasNew())) return problems.clear();
    await checkSettings(client);
    // Only after the check, because a mistake in the settings is not another chain.
    if (!areOthersReleased) {
      await releaseOtherChains(context.database, chainId);
      await bindAgain(context.database, watched);
    }
    areOthersReleased = true;
    const round = await beginRound({ context, settings, account, sender, client, warnOnce, ...memory });
    const { open, stamped, isUnfinished } = await watchTransactions(round, watched);
    Object.assign(tally, { stamped, isUnfinished });
    const isLost = await resolveLostNonces(round, open);
    const waitCodes = await continueOpen(round, isLost ? open.filter((one) => one.sender !== sender) : open);
    if (isLost) waitCodes.set(sender, 'STAMPER_REJECTED');
    tally.waitCode = waitCodes.get(sender) ?? null;
    // A node that refuses what this sender has begun would refuse more.
    if (tally.waitCode === null && (await hasNew())) {
      const started = await startTransactions(round);
      tally.sent = started.sent;
      tally.waitCode = started.waitCode;
      tally.isUnfinished ||= started.isUnfinished || started.sent > 0;
    }
    if (tally.waitCode === null && waitCodes.size === 0) problems.clear();
  }

  /** Logs a problem once, however many rounds find it. */
  function logOnce(level: 'warn' | 'error', fields: object, message: string, key = JSON.stringify(fields)): void {
    const problem = `${message} ${key}`;
    if (!problems.has(problem)) context.log[level](fields, message);
    problems.add(problem);
  }

  return {
    userAddress: sender,
    async check(signal) {
      try {
        await checkSettings(connect(signal));
        return true;
      } catch (error) {
        if (isFailureOfNode(error)) return false;
        throw error;
      }
    },
    async runRound({ takesNew, signal }: RoundOptions) {
      const tally: Tally = { sent: 0, stamped: 0, waitCode: null, isUnfinished: false };
      try {
        await runSteps(connect(signal), takesNew, tally).then(
          () => {
            if (tally.waitCode !== null) warnOnce({ code: tally.waitCode }, 'proofs wait to be stamped');
          },
          (error: unknown) => {
            tally.waitCode = waitCodeOf(error);
            const fields = { code: tally.waitCode, problem: describeProblem(error) };
            if (!signal.aborted) logOnce(isFailureOfNode(error) ? 'warn' : 'error', fields, 'proofs cannot be stamped');
          },
        );
        if (signal.aborted) return { ...tally, waitCode: null, isUnfinished: true };
        // The proofs that the daily limit stops were marked when it was reached.
        if (tally.waitCode !== null && tally.waitCode !== 'DAILY_LIMIT') {
          await markWaiting(context.database, tally.waitCode);
        }
        return tally;
      } catch (error) {
        // After a deadlock with another process, nothing of the transaction is stored, and the next round repeats it.
        if (isRetryableConflict(error)) return { ...tally, isUnfinished: true };
        throw error;
      }
    },
  };
}

/**
 * Continues open transactions. Those of a sender wait for each other, but not for those of an earlier key, which may
 * never be accepted.
 *
 * @returns why the transactions of a sender wait, by sender
 */
async function continueOpen(round: ChainRound, open: readonly WatchedTransaction[]): Promise<Map<string, WaitCode>> {
  const waitCodes = new Map<string, WaitCode>();
  for (const transaction of open) {
    const { sender, nonce } = transaction;
    if (waitCodes.has(sender)) continue;
    if (nonce < (await round.countNonces(sender))) await resolveTakenNonce(round, transaction);
    else {
      const waitCode = await sendAgain(round, transaction);
      if (waitCode !== null) waitCodes.set(sender, waitCode);
    }
  }
  return waitCodes;
}

function isFailureOfNode(error: unknown): boolean {
  return error instanceof NodeUnavailable || error instanceof NodeRefusal;
}

/** Returns why proofs wait. Throws an error that is not about the node or the settings. */
function waitCodeOf(error: unknown): WaitCode {
  if (isFailureOfNode(error)) return 'STAMPER_UNREACHABLE';
  if (error instanceof ConfigError || error instanceof NotACommitmentContract) return 'STAMPER_REJECTED';
  throw error;
}

function describeProblem(error: unknown): string {
  const { message } = error as Error;
  return error instanceof NodeRefusal ? `${message} (${error.code})` : message;
}
