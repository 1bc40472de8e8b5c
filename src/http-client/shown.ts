/** Further than this nobody reads on. */
const LONGEST_SENTENCE = 500;

/** What came from outside, without secrets and not too long. */
export function shown(text: string, { hide }: { hide(text: string): string }): string {
  const clean = hide(text);
  return clean.length > LONGEST_SENTENCE ? `${clean.slice(0, LONGEST_SENTENCE)}…` : clean;
}
