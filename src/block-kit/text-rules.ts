import { limits } from './limits.ts';
import {
  all,
  anything,
  type Bounds,
  boolean,
  byType,
  holds,
  oneOf,
  type Rule,
  shape,
  string,
} from './rule.ts';

/** A plain-text object. */
export function plainText({ min = 1, max = limits.text }: Bounds = {}): Rule {
  return byType('text', {
    plain_text: shape({ type: oneOf('plain_text'), text: string({ min, max }) }, { emoji: boolean }),
  });
}

/** A mrkdwn or a plain-text object. */
export function anyText({ min = 1, max = limits.text }: Bounds = {}): Rule {
  return byType('text', {
    plain_text: shape({ type: oneOf('plain_text'), text: string({ min, max }) }, { emoji: boolean }),
    mrkdwn: shape({ type: oneOf('mrkdwn'), text: string({ min, max }) }, { verbatim: boolean }),
  });
}

/** An option of a menu or a group of choices; `text` is what the element allows for it. */
export function option(text: Rule): Rule {
  return shape(
    { text, value: string({ max: limits.option.value }) },
    { description: anyText({ max: limits.option.description }), url: string({ max: limits.option.url }) },
  );
}

/** The question asked before an action is taken. */
export const confirm: Rule = shape(
  {
    title: plainText({ max: limits.confirm.title }),
    text: anyText({ max: limits.confirm.text }),
    confirm: plainText({ max: limits.confirm.button }),
    deny: plainText({ max: limits.confirm.button }),
  },
  { style: oneOf('primary', 'danger') },
);

/** An address the reader's browser opens. */
export function url(max: number = limits.button.url): Rule {
  return string({ max });
}

/** An image: an address or a file Slack already has, and words for those who do not see it. */
export function image(extra: Readonly<Record<string, Rule>> = {}): Rule {
  return all(
    shape(
      { type: oneOf('image'), alt_text: string({ max: limits.image.alt }) },
      { image_url: url(limits.image.url), slack_file: anything, ...extra },
    ),
    holds(
      (value) => (value.image_url === undefined) !== (value.slack_file === undefined),
      'must have either image_url or slack_file',
    ),
  );
}
