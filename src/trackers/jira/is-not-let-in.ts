import { AppError } from '../../model/error.ts';
import { JiraRefusal } from './jira-client.ts';

/** Whether Jira does not take us for who we say we are; a refusal is its no to one question. */
export function isNotLetIn(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not-allowed' && !(error instanceof JiraRefusal);
}
