import { Fault } from '../../contract/fault.ts';

export function agentOriginDenied(): Fault {
  return new Fault(
    'ORIGIN_DENIED',
    'Pages of this origin cannot use /mcp. The operator of the service can allow the origin with ALMANAC_CORS_ORIGINS.',
  );
}

export function agentCredentialRequired(): Fault {
  return new Fault(
    'UNAUTHENTICATED',
    'Send an API key or an access token: Authorization: Bearer … Cookies are not read at this address.',
  );
}

export function messagesInList(): Fault {
  return new Fault('INVALID_REQUEST', 'body: must be one JSON-RPC message, not a list of them.');
}

export function unreadableHandle(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'series: must be a handle as find_series or look_at_series returned it, such as source=market&symbol=AAPL&timeframe=1D. Call find_series to get one.',
  );
}

export function unknownHandlePart(name: string): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `series: a handle of this kind has no part ${JSON.stringify(name.slice(0, 60))}. Use the handle as find_series returned it.`,
  );
}

export function repeatedHandlePart(name: string): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `series: the handle has the part ${JSON.stringify(name.slice(0, 60))} twice. Use the handle as find_series returned it.`,
  );
}

export function choiceNotOfSource(field: string, types: string): Fault {
  return new Fault('INVALID_REQUEST', `${field}: is only for ${types}. Leave it out.`);
}

export function oneInputRequired(): Fault {
  return new Fault('INVALID_REQUEST', 'series, csv: give exactly one of them.');
}

/** @param line counted from 1 */
export function unreadableCsvLine(line: number, problem: string): Fault {
  return new Fault('INVALID_REQUEST', `csv: line ${line} ${problem}. Each line is a timestamp, a comma and a number.`);
}

export function emptyCsv(): Fault {
  return new Fault('INVALID_REQUEST', 'csv: has no rows. Each line is a timestamp, a comma and a number.');
}

export function argumentRequired(name: string, action: string): Fault {
  return new Fault('INVALID_REQUEST', `${name}: is required for the action ${action}.`);
}

export function argumentNotUsed(name: string, action: string): Fault {
  return new Fault('INVALID_REQUEST', `${name}: is not used by the action ${action}. Leave it out.`);
}

/**
 * Returns the fault of an operation in the words of a tool, whose arguments have other names than the fields.
 *
 * @example withArgumentNames(fault, { universe: 'symbols' }) // universe[0]: … becomes symbols[0]: …
 *
 * @param names by field, such as `universe` or `entity.name`
 */
export function withArgumentNames(fault: Fault, names: Readonly<Record<string, string>>): Fault {
  const message = fault.message.replaceAll(
    /(?<=^|\s)([\w-]+)((?:\.\w+)?)((?:\[\d+\]|\.\w+)*)(?=: )/g,
    (whole, field: string, child: string, rest: string) => {
      if (Object.hasOwn(names, field + child)) return `${names[field + child]}${rest}`;
      return Object.hasOwn(names, field) ? `${names[field]}${child}${rest}` : whole;
    },
  );
  return new Fault(fault.code, message.replaceAll('GET /v1/forecast/models', 'my_limits'), fault.details);
}
