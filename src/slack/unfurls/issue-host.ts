import type { DoorParts } from '../command.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';
import { issueQuestion } from '../questions/issue-question.ts';

/** The host name of links to issues, as an account may see one; null where none is known. */
export async function issueHost(account: string, parts: DoorParts): Promise<string | null> {
  const principal = await resolvePrincipal(account, parts);
  const [key] = await parts.reporting.exampleKeys(principal, 1);
  if (key === undefined) return null;
  const question = issueQuestion(key, { calendar: 'normalHours', timeZone: parts.timeZone });
  const { told } = await parts.answers.answer(principal, question, null);
  const link = told.kind === 'issue' ? told.story.link : null;
  return link === null ? null : (URL.parse(link)?.hostname ?? null);
}
