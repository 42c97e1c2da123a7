import { z } from 'zod';
import type { ComponentSchemas, Json } from './component-schemas.ts';
import type { Operation } from './operation.ts';

/** What a caller makes up so that a request can be sent again. */
export const IdempotencyKey = z
  .string()
  .regex(/^[!-~]{1,200}$/, { error: 'must be 1 to 200 visible ASCII characters' });

const LastEventId = z.string().regex(/^\d{1,10}$/);

/** The headers that an operation reads, beside those that every one does. */
export function headerParameters(op: Operation, schemas: ComponentSchemas): Json[] {
  const header = (name: string, description: string, schema: z.ZodType): Json => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: schemas.of(schema, 'input'),
  });
  return [
    ...(op.repeatable
      ? [
          header(
            'Idempotency-Key',
            'Honoured for a day: the same key and request give the first answer again and start nothing; another request with the key is refused.',
            IdempotencyKey,
          ),
        ]
      : []),
    ...(op.stream
      ? [
          header(
            'Last-Event-ID',
            'The id of the last event that was received: the stream goes on after it.',
            LastEventId,
          ),
        ]
      : []),
  ];
}
