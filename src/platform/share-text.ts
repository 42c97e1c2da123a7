/**
 * Returns a function that returns one and the same string for equal strings, because each row of the database has its
 * own copy.
 *
 * @param maxTexts the number of strings that are kept, for a provider that sends more different ones than expected
 */
export function createTextSharer(maxTexts: number): <Text extends string>(text: Text) => Text {
  const shared = new Map<string, string>();
  return <Text extends string>(text: Text): Text => {
    const known = shared.get(text);
    if (known !== undefined) return known as Text;
    if (shared.size < maxTexts) shared.set(text, text);
    return text;
  };
}
