/** A text as a regular expression has it. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

/** Takes the place of a secret. */
export const REDACTED = '[redacted]';

/** Members of logged errors that libraries put whole requests into, with their headers. */
export const redactedPaths: readonly string[] = [
  'authorization',
  'headers.authorization',
  ...['config', 'request', 'response', 'options', 'headers', 'original.config', 'cause.config'].map(
    (member) => `err.${member}`,
  ),
];

/** The beginning of a word: in a line of JSON also the one after a line break or a tab, which ends with a letter there. */
const START = String.raw`(?:\b|(?<=\\[bfnrt]))`;

/**
 * The shapes of secrets that no setting has; a group that they begin with stays. What a shape repeats before it is certain is
 * limited: a long line may have been made so that each of its letters could begin one.
 */
const shapes: readonly string[] = [
  // Tokens of Slack, and the addresses at which whoever has them can answer.
  String.raw`${START}xox[a-z](?:\.xox[a-z])?-[\w-]+`,
  String.raw`${START}xapp-[\w-]+`,
  String.raw`(?<begin1>${START}hooks\.slack\.com/)[^\s"'\\]+`,
  // JSON Web Tokens, signed or encrypted (RFC 7519).
  String.raw`${START}eyJ[\w-]{8,2000}(?:\.[\w-]*){2,4}`,
  // The header Authorization.
  String.raw`(?<begin2>${START}(?:Bearer|TISJWT)\s+)[\w.~+/=-]{8,}`,
  String.raw`(?<begin3>${START}Basic\s+)(?=[A-Za-z]*[\d+/=])[A-Za-z\d+/]{8,}={0,2}`,
  // Parameters of addresses, and passwords in them.
  String.raw`(?<begin4>${START}(?:tisjwt|access_token|refresh_token|client_secret|password)=)[^&\s"'\\]+`,
  String.raw`(?<begin6>\\?"(?:tisjwt|access_token|refresh_token|client_secret|password)\\?":\\?")[^"\\]+`,
  String.raw`(?<begin5>${START}[a-z][a-z\d+.-]{0,30}://[^\s:/@"'\\]*:)[^\s@/"'\\]+(?=@)`,
];

/**
 * Returns a function that takes secrets out of a line of the log: these values, as they are and as JSON and addresses have
 * them, and whatever has the shape of a token or a password.
 */
export function createRedact(secrets: readonly string[]): (line: string) => string {
  const values = new Set(
    secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
  );
  // The longest first: one secret may begin another.
  const known = [...values].sort((a, b) => b.length - a.length).map((value) => escaped(value));
  const pattern = new RegExp([...known, ...shapes].join('|'), 'gi');
  return (line) =>
    line.replace(pattern, (...match) => {
      const groups: Readonly<Record<string, string | undefined>> = match.at(-1);
      const begin = Object.values(groups).find((text) => text !== undefined) ?? '';
      return `${begin}${REDACTED}`;
    });
}
