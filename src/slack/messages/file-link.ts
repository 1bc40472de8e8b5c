import type { Message } from '../../block-kit/message.ts';
import { section } from '../../block-kit/mrkdwn.ts';
import { button } from './button.ts';

/** The address of a file that is kept on our side, for whoever asked for it. */
export function fileLink(link: string): Message {
  const hint = 'The link works for 15 minutes, for whoever has it.';
  return {
    text: `<${link}|Download the file>. ${hint}`,
    blocks: [
      section(hint),
      {
        type: 'actions',
        elements: [
          { ...button('Download the file', 'open-export-file', 'link'), url: link, style: 'primary' },
        ],
      },
    ],
  };
}
