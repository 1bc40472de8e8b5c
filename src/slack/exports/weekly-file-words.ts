import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';

/** A query can be longer than a section holds. */
const LONGEST_ADDRESS = 2000;

/** How to get the figures of a week themselves, which are no list of issues. `address` is where REST tells them. */
export function weeklyFileWords(address: string): string {
  const asked =
    address.length > LONGEST_ADDRESS
      ? '`/rest/issues/weekly` with `outputType=csv`'
      : `\`${escapeMrkdwn(address)}\``;
  return `The week’s own figures are another file, which the REST interface tells with your token: ${asked}`;
}
