import { mapLimited } from '../../http-client/map-limited.ts';
import { AppError } from '../../model/error.ts';
import { askBrowseHolders } from './ask-browse-holders.ts';
import type { JiraClient } from './jira-client.ts';
import { areCredentialsRefused } from './jira-failures.ts';

/** Enough to meet what is wrong with many, without asking for long. */
const PROJECTS = 20;
const AT_ONCE = 4;

/** Of some projects, those that stay closed because Jira does not tell to whom they are open, and what helps; null: none. */
export async function unreadSchemes(client: JiraClient, keys: Iterable<string>): Promise<string | null> {
  const looked = [...keys].slice(0, PROJECTS);
  const failures: AppError[] = [];
  const read = await mapLimited(AT_ONCE, looked, async (key) => {
    try {
      return { key, how: (await askBrowseHolders(client, key)) === null ? 'refused' : 'read' } as const;
    } catch (error) {
      if (!(error instanceof AppError) || areCredentialsRefused(error)) throw error;
      failures.push(error);
      return { key, how: 'failed' } as const;
    }
  });
  const those = (how: (typeof read)[number]['how']) =>
    read.filter((one) => one.how === how).map(({ key }) => key);
  const [refused, failed] = [those('refused'), those('failed')];
  const [failure] = failures;
  const sentences = [
    ...(refused.length === 0 ? [] : [`${closedText(refused)}: ${RIGHT}`]),
    ...(failure === undefined ? [] : [`${closedText(failed)}: ${failure.message}`]),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}

const RIGHT =
  "the account needs 'Administer Jira' or 'Administer Projects' there (JIRA_RIGHTS=rules lets `dwell access` decide).";

function closedText(keys: readonly string[]): string {
  const [scheme, project] =
    keys.length === 1 ? ['scheme', 'this project stays'] : ['schemes', 'these projects stay'];
  return `The permission ${scheme} of ${keys.join(', ')} cannot be read, so ${project} closed to all but admins`;
}
