import { z } from 'zod';
import { email, Fault, isStorableText } from '../../../../contract/index.ts';
import type { FieldErrors } from '../markup/form.ts';

export type Checked<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly errors: FieldErrors };

const storable = (message: string) => [isStorableText, { error: message }] as const;

/** Not judged but looked up: what an address must look like is for those who make accounts. */
export const emailField = () =>
  z
    .string('Enter your e-mail address.')
    .trim()
    .min(1, 'Enter your e-mail address.')
    .max(254, 'The e-mail address is too long: up to 254 characters.')
    .refine(...storable('The e-mail address has characters that no address has.'));

/** For what is sent a mail. */
export const newEmailField = () =>
  emailField().refine((address) => email().safeParse(address).success, {
    error: 'Enter an e-mail address such as name@example.org.',
  });

export const passwordField = (missing: string) =>
  z
    .string(missing)
    .min(1, missing)
    .max(1024, 'The password is too long: up to 1024 characters.')
    .refine(...storable('The password has characters that no keyboard makes.'));

/** A hidden field that our own page has filled. */
export const hiddenField = () => z.string().min(1).max(200).refine(isStorableText);

/** The fields that a page wants, or what to tell the person about them: the first thing wrong with each. */
export function checkForm<Schema extends z.ZodObject>(schema: Schema, body: unknown): Checked<z.output<Schema>> {
  const result = schema.safeParse(body ?? {});
  if (result.success) return { ok: true, data: result.data };
  const errors: Record<string, string> = {};
  for (const { path, message } of result.error.issues) errors[String(path[0] ?? '')] ??= message;
  return { ok: false, errors };
}

/** One field as it was sent, for showing it again or for checks of its own. */
export function typed(body: unknown, name: string): string | undefined {
  const value = (body as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** How fields are called to the person, by their name in refusals: its label, or the field it is here and its label. */
export type Labels = Readonly<Record<string, string | readonly [field: string, label: string]>>;

/**
 * The refusal of a domain operation, put beside the field it names (`password: must have …`). What is no such refusal
 * is thrown on.
 */
export function fieldErrorOf(error: unknown, labels: Labels): FieldErrors {
  if (!(error instanceof Fault) || error.code !== 'INVALID_REQUEST') throw error;
  const [, name = '', rest = ''] = /^(\w+): (.+)$/s.exec(error.message) ?? [];
  const label = Object.hasOwn(labels, name) ? labels[name] : undefined;
  if (label === undefined) throw error;
  const [field, words] = typeof label === 'string' ? [name, label] : label;
  return { [field]: `${words} ${rest}` };
}
