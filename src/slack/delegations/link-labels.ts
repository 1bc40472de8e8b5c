/** What was typed: Slack makes links of e-mail addresses, and of names with a dot in them. */
export function linkLabels(text: string): string {
  return text.replace(
    /<((?:mailto|https?|tel):[^>|]*)(?:\|([^>]*))?>/g,
    (_, address: string, label?: string) => label ?? address,
  );
}
