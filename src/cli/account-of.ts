import { badRequest } from '../model/error.ts';

/** The Slack account that a word means. Whatever else is typed, such as a name, would be kept and never met. */
export function accountOf(option: string, text: string): string {
  const account = text.trim().toUpperCase();
  if (/^[UW][A-Z0-9]{2,}$/.test(account)) return account;
  throw badRequest(
    `${option} '${text}' is no Slack account; allowed: a member ID such as U012AB3CD, which the profile in Slack tells.`,
  );
}
