import { text } from '../../parameters/parameter.ts';

/** What a link from Slack holds. */
export const invitationTicket = text.default('').meta({
  description:
    'What the link holds that was sent to the account; good for a quarter of an hour and for one link. Without it the page says how to get one.',
  format: 'password',
});
