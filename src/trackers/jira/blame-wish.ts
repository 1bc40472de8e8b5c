import { JiraRefusal } from './jira-failures.ts';

/** Asks a search, and names the setting that its query comes from where Jira does not understand it. */
export async function blameWish<Answer>(wish: string | null, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (wish === null || !(error instanceof JiraRefusal) || error.status !== 400) throw error;
    const { code, message, status, messages } = error;
    throw new JiraRefusal(code, `${message} Is JIRA_JQL right? It is: ${wish}`, status, messages);
  }
}
