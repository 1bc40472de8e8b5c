import { lineText } from '../../block-kit/code-text.ts';
import { audienceLine } from './audience-line.ts';

/** Who says what a channel may read of, as a sentence begins with them, and the line (mrkdwn) they type for it. */
export interface Allowing {
  readonly who: string;
  line(keys: readonly string[], withGuests: boolean): string;
}

/** So many keys fit well into a line that is to be typed. */
const TYPED = 20;

/** An admin of the tracker, in the channel; where the tracker tells of none the command line does their work. */
export function whoAllows(channel: string, hasAdmins: boolean): Allowing {
  const typed = (keys: readonly string[]) => keys.length > 0 && keys.length <= TYPED;
  if (hasAdmins) {
    return {
      who: 'An admin of the tracker',
      line(keys, withGuests) {
        const list = typed(keys) ? keys.join(',') : 'PROJECT,PROJECT';
        return lineText(`/tis audience allow ${list}${withGuests ? ' with guests' : ''}`);
      },
    };
  }
  return {
    who: 'Whoever runs Dwell',
    line: (keys, withGuests) =>
      lineText(
        audienceLine(
          { verb: 'allow', keys: typed(keys) ? keys : ['PROJECT', 'PROJECT'], withGuests },
          channel,
        ),
      ),
  };
}
