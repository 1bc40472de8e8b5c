import { AppError } from '../../model/error.ts';
import { createCommand } from '../cli-command.ts';

/** Prints where an admin agrees that Jira is read in their name. */
export const connect = createCommand({
  name: 'connect',
  usage: 'connect',
  summary: 'print the address where a Jira admin authorizes your OAuth 2.0 app',
  details: 'It needs JIRA_CLIENT_ID, JIRA_CLIENT_SECRET and BASE_URL, and the server must be running.',
  options: {},
  examples: ['connect'],
  async run(_, { consent, baseUrl, out }) {
    if (consent === null) {
      throw new AppError('not-configured', 'There is nothing to authorize', [
        'To read Jira by OAuth 2.0, set JIRA_CLIENT_ID and JIRA_CLIENT_SECRET.',
      ]);
    }
    if (baseUrl === null) {
      throw new AppError('not-configured', 'BASE_URL is missing', [
        'Atlassian sends the admin back to Dwell after that: set BASE_URL to where people reach it, such as https://dwell.example.com.',
      ]);
    }
    const callback = `${baseUrl}/jira/consent`;
    out(await consent.url(callback));
    out('Open this address in a browser, log in with the account that Dwell uses to read Jira, and accept.');
    out(`Dwell must be running by then, and the app's callback URL must be ${callback}`);
    return 0;
  },
});
