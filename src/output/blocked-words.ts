/** Something that blocks an issue: its flag, a status, or the issue with a key. */
interface NamedCause {
  readonly kind: 'flag' | 'status' | 'link';
  readonly name: string;
}

/** The causes that block an issue: `WEB-9 and a flag`, `the status Waiting`. */
export function causesText(
  causes: readonly NamedCause[],
  nameOf: (cause: NamedCause) => string = ({ name }) => name,
): string {
  const texts = causes.map((cause) => {
    if (cause.kind === 'flag') return 'a flag';
    return cause.kind === 'status' ? `the status ${nameOf(cause)}` : nameOf(cause);
  });
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} and ${last}`;
}

/** The mark of an issue that something blocks. */
export const BLOCKED_MARK = '⛔';

/** The causes that block an issue, with the mark: `⛔ blocked by WEB-9`. */
export function blockedText(
  { causes }: { readonly causes: readonly NamedCause[] },
  nameOf?: (cause: NamedCause) => string,
): string {
  return `${BLOCKED_MARK} blocked by ${causesText(causes, nameOf)}`;
}
