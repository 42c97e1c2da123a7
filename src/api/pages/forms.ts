import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { email, Fault, isStorableText } from '../../contract/index.ts';
import { duplicateFormField, formNotUtf8, formTypeRequired } from '../faults.ts';
import { type Html, html } from './html.ts';

/** Error messages by field name. The key '' is for the form as a whole. */
export type FieldErrors = Readonly<Record<string, string>>;

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'email' | 'password';
  /** What a password manager fills in. */
  readonly autocomplete: 'username' | 'current-password' | 'new-password';
  readonly hint?: string;
  /** The value that was submitted before. Passwords are not shown again. */
  readonly value?: string | undefined;
  readonly readonly?: boolean;
}

/** Renders a labeled field with its hint and error, both linked to it for screen readers. */
export function field(options: Field, errors: FieldErrors = {}): Html {
  const error = errors[options.name];
  const described = [options.hint && `${options.name}-hint`, error && `${options.name}-error`]
    .filter(Boolean)
    .join(' ');
  return html`<div>
<label for="${options.name}">${options.label}</label>
${options.hint && html`<p class="hint" id="${options.name}-hint">${options.hint}</p>`}
<input id="${options.name}" name="${options.name}" type="${options.type}" autocomplete="${options.autocomplete}" required${
    options.readonly && html` readonly`
  }${options.type === 'email' && html` spellcheck="false" autocapitalize="none"`}${
    options.value !== undefined && html` value="${options.value}"`
  }${error && html` aria-invalid="true"`}${described !== '' && html` aria-describedby="${described}"`}>
${error && html`<p class="error" id="${options.name}-error">${error}</p>`}
</div>`;
}

/** Renders a form that posts to the given path. */
export function form(action: string, content: Html): Html {
  return html`<form method="post" action="${action}" class="stack">${content}</form>`;
}

export function hidden(name: string, value: string | null): Html | null {
  return value === null ? null : html`<input type="hidden" name="${name}" value="${value}">`;
}

const SUMMARY_TITLE = 'There is a problem';

/**
 * Renders a summary of all errors with links to their fields. It gets the focus when the page opens.
 *
 * @param level the level of its heading, one below that of its section
 */
export function errorSummary(errors: FieldErrors, level: 2 | 3 = 2): Html | null {
  const entries = Object.entries(errors);
  if (entries.length === 0) return null;
  return html`<div class="alert" role="alert" tabindex="-1" autofocus>
${level === 2 ? html`<h2>${SUMMARY_TITLE}</h2>` : html`<h3>${SUMMARY_TITLE}</h3>`}
<ul>${entries.map(([name, message]) => html`<li>${name === '' ? message : html`<a href="#${name}">${message}</a>`}</li>`)}</ul>
</div>`;
}

/** Renders the notice about the previous action, if there is one. */
export function noticeBanner(text: string | null): Html | null {
  return text === null ? null : html`<p class="notice" role="status">${text}</p>`;
}

type Checked<Data> = { readonly ok: true; readonly data: Data } | { readonly ok: false; readonly errors: FieldErrors };

const storable = (message: string) => [isStorableText, { error: message }] as const;

/** Returns the schema of an email address that is only looked up. */
export const emailField = () =>
  z
    .string('Enter your email address.')
    .trim()
    .min(1, 'Enter your email address.')
    .max(254, 'The email address is too long. Use at most 254 characters.')
    .refine(...storable('The email address contains unsupported characters.'));

/** Returns the schema of an email address to which an email is sent. */
export const newEmailField = () =>
  emailField().refine((address) => email().safeParse(address).success, {
    error: 'Enter an email address such as name@example.org.',
  });

export const passwordField = (missing: string) =>
  z
    .string(missing)
    .min(1, missing)
    .max(1024, 'The password is too long. Use at most 1,024 characters.')
    .refine(...storable('The password contains unsupported characters.'));

/** Returns the schema of a hidden field, which a page of this site filled in. */
export const hiddenField = () => z.string().min(1).max(200).refine(isStorableText);

/** Returns the fields of a form, or the first error of each field. */
export function checkForm<Schema extends z.ZodObject>(schema: Schema, body: unknown): Checked<z.output<Schema>> {
  const result = schema.safeParse(body ?? {});
  if (result.success) return { ok: true, data: result.data };
  const errors: Record<string, string> = {};
  for (const { path, message } of result.error.issues) errors[String(path[0] ?? '')] ??= message;
  return { ok: false, errors };
}

/** Returns one field of a form or query, unchecked. */
export function readField(body: unknown, name: string): string | undefined {
  const value = (body as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** Labels by the field name in a fault. A pair also gives the name that the field has in the form. */
type Labels = Readonly<Record<string, string | readonly [field: string, label: string]>>;

/**
 * Turns a fault that names a field (`password: must have …`) into the error of that field in the form. Throws any other
 * error again.
 */
export function toFieldError(error: unknown, labels: Labels): FieldErrors {
  if (!(error instanceof Fault) || error.code !== 'INVALID_REQUEST') throw error;
  const [, name = '', rest = ''] = /^(\w+): (.+)$/s.exec(error.message) ?? [];
  const label = Object.hasOwn(labels, name) ? labels[name] : undefined;
  if (label === undefined) throw error;
  const [field, text] = typeof label === 'string' ? [name, label] : label;
  return { [field]: `${text} ${rest}` };
}

/** The largest form has a filter with a list of 500 symbols. */
const FORM_LIMIT = 48 * 1024;

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Makes a context accept only URL-encoded forms as bodies. */
export function readForms(context: FastifyInstance): void {
  context.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer', bodyLimit: FORM_LIMIT } as const;
  context.addContentTypeParser('*', options, (request, body: Buffer, done) => {
    try {
      const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
      if (!FORM_TYPE.test(type) || encoding !== 'identity') throw formTypeRequired();
      done(null, parseForm(body));
    } catch (error) {
      done(error as Error);
    }
  });
}

/**
 * Parses the fields of a form. Refuses a field that appears twice, because a firewall in front of this service could
 * check one value while the service reads the other.
 */
export function parseForm(body: Buffer): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(decode(body))) {
    if (fields.has(name)) throw duplicateFormField(name);
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

/**
 * Decodes a form. Refuses invalid UTF-8, even percent-encoded, because decoding would replace it by other characters.
 */
function decode(body: Buffer): string {
  try {
    const text = utf8.decode(body);
    for (const [encoded] of text.matchAll(/(?:%[\da-f]{2})+/gi)) decodeURIComponent(encoded);
    return text;
  } catch {
    throw formNotUtf8();
  }
}

export const NEW_PASSWORD_HINT = 'At least 10 characters. Three or four random words are easy to remember.';
