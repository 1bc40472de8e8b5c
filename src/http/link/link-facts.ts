import { text } from '../../parameters/parameter.ts';

/** What a link from Slack holds. */
export const invitationTicket = text.default('').meta({
  description:
    'The ticket in the link that was sent to the account; it works once, for 15 minutes. Without it the page says how to get one.',
  format: 'password',
});
