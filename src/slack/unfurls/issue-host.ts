import { issueKind, issueQuestion } from '../../questions/issue/issue-kind.ts';
import type { QuestionParts, SlackParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';

/** The host name of links to issues, as an account may see one; null where none is known. */
export async function issueHost(
  account: string,
  parts: QuestionParts & Pick<SlackParts, 'reporting' | 'timeZone'>,
): Promise<string | null> {
  const principal = await resolvePrincipal(account, parts);
  const [key] = await parts.reporting.exampleKeys(principal, 1);
  if (key === undefined) return null;
  const question = issueQuestion(key, { calendar: 'normalHours', timeZone: parts.timeZone });
  const { value } = await parts.answers.ask(issueKind, principal, question);
  return value.link === null ? null : (URL.parse(value.link)?.hostname ?? null);
}
