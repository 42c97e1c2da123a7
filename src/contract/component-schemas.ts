import { z } from 'zod';

export type Json = { [key: string]: unknown };

/** Converts schemas and collects the named ones, so that a client generator sees one type for each. */
export class ComponentSchemas {
  readonly all: Record<string, unknown> = {};

  of(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $schema: _, $defs, ...json } = z.toJSONSchema(schema, { target: 'draft-2020-12', io });
    for (const [name, definition] of Object.entries($defs ?? {})) this.all[name] ??= atComponents(definition);
    // A schema that is itself named comes back inline: move it, too, and point at it.
    const id = schema.meta()?.id;
    if (!id) return atComponents(json);
    const { id: _id, ...named } = json;
    this.all[id] ??= atComponents(named);
    return { $ref: `#/components/schemas/${id}` };
  }
}

function atComponents(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
