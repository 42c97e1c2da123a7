/** A form of a page with what a browser sends if one of its buttons is pressed. */
export interface PageForm {
  readonly method: 'GET' | 'POST';
  /** The path and query to which it is sent, without the fields of a GET form. */
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The name of the button. */
  readonly button: string;
  /** The values of the lists among the fields. */
  readonly choices: readonly (readonly [name: string, values: readonly string[]])[];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function decode(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
}

type Attributes = Readonly<Record<string, string>>;

function attributesOf(tag: string): Attributes {
  const found = tag.matchAll(/\s([a-z-]+)(?:="([^"]*)")?/g);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, decode(value)]));
}

/** Returns the content of a page, without its header and footer. */
export function mainOf(body: string): string {
  return /<main\b[^>]*>(.*)<\/main>/s.exec(body)?.[1] ?? '';
}

/** Returns a piece of markup as text. */
export function textOf(markup: string): string {
  return decode(markup.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns where the links of a piece of markup lead, except those to places of the same page. */
export function linksOf(markup: string): string[] {
  const links = [...markup.matchAll(/<a\b[^>]*>/g)].map(([tag]) => attributesOf(tag).href ?? '');
  return [...new Set(links)].filter((href) => href !== '' && !href.startsWith('#'));
}

/** Returns the forms of a piece of markup, one for each button that sends them. Disabled buttons and fields are left out. */
export function formsOf(markup: string): PageForm[] {
  return [...markup.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].flatMap(([, start = '', content = '']) => {
    const form = attributesOf(` ${start}`);
    const fields = fieldsOf(content);
    const choices = listsOf(content).map(
      ({ name, options }) => [name, options.map(({ value = '' }) => value)] as const,
    );
    return buttonsOf(content).map(({ attributes, label }) => ({
      method: (attributes.formmethod ?? form.method ?? 'get').toUpperCase() as PageForm['method'],
      action: attributes.formaction ?? form.action ?? '',
      fields: attributes.name ? [...fields, [attributes.name, attributes.value ?? ''] as const] : fields,
      button: label,
      choices,
    }));
  });
}

function buttonsOf(content: string): { attributes: Attributes; label: string }[] {
  const buttons = [...content.matchAll(/<button\b([^>]*)>(.*?)<\/button>/gs)].map(([, tag = '', label = '']) => ({
    attributes: attributesOf(` ${tag}`),
    label: textOf(label),
  }));
  const sending = buttons.filter(({ attributes }) => attributes.type !== 'button' && !('disabled' in attributes));
  // A form with one field and no button is sent with Enter.
  return buttons.length === 0 ? [{ attributes: {}, label: 'Enter' }] : sending;
}

function fieldsOf(content: string): (readonly [string, string])[] {
  const inputs = [...content.matchAll(/<input\b[^>]*>/g)].flatMap(([tag]) => {
    const { name, value, type = 'text', ...rest } = attributesOf(tag);
    const isLeftOut = /^(checkbox|radio)$/.test(type) && !('checked' in rest);
    return !name || isLeftOut || 'disabled' in rest || type === 'file' ? [] : [[name, value ?? ''] as const];
  });
  const areas = [...content.matchAll(/<textarea\b([^>]*)>(.*?)<\/textarea>/gs)].map(
    ([, tag = '', text = '']) => [attributesOf(` ${tag}`).name ?? '', decode(text).replace(/^\n/, '')] as const,
  );
  const selects = listsOf(content).map(({ name, options }) => {
    const chosen = options.find((option) => 'selected' in option) ?? options[0];
    return [name, chosen?.value ?? ''] as const;
  });
  return [...inputs, ...areas, ...selects];
}

function listsOf(content: string): { name: string; options: Attributes[] }[] {
  return [...content.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)].map(([, tag = '', list = '']) => ({
    name: attributesOf(` ${tag}`).name ?? '',
    options: [...list.matchAll(/<option\b([^>]*)>/g)].map(([, option = '']) => attributesOf(` ${option}`)),
  }));
}
