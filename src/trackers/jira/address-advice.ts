/** What everybody is asked first. */
const FIRST = /\/serverInfo$/;

const ADVICE =
  'Is JIRA_BASE_URL right? It is where the pages of Jira begin, with http or https as there, and with its context path if it has one, but without /browse, /jira/software and the like.';

/** What to look at when the first question of all goes wrong, in sentences: the address is the likely cause. */
export function addressAdvice(asked: string): readonly string[] {
  return FIRST.test(asked) ? [ADVICE] : [];
}
