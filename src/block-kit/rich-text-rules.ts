import { boolean, byType, integer, list, matching, number, oneOf, type Rule, shape, string } from './rule.ts';

const style = shape(
  {},
  {
    bold: boolean,
    italic: boolean,
    strike: boolean,
    code: boolean,
    underline: boolean,
    highlight: boolean,
    client_highlight: boolean,
    unlink: boolean,
  },
);

const inline: Rule = byType('rich text element', {
  text: shape({ type: oneOf('text'), text: string() }, { style }),
  link: shape({ type: oneOf('link'), url: string() }, { text: string({ min: 0 }), unsafe: boolean, style }),
  emoji: shape(
    { type: oneOf('emoji'), name: string() },
    { unicode: string(), skin_tone: integer({ min: 1, max: 6 }), url: string(), style },
  ),
  user: shape({ type: oneOf('user'), user_id: string() }, { style }),
  channel: shape({ type: oneOf('channel'), channel_id: string() }, { style }),
  usergroup: shape({ type: oneOf('usergroup'), usergroup_id: string() }, { style }),
  team: shape({ type: oneOf('team'), team_id: string() }, { style }),
  broadcast: shape({ type: oneOf('broadcast'), range: oneOf('here', 'channel', 'everyone') }, { style }),
  color: shape(
    { type: oneOf('color'), value: matching(/^#[0-9a-f]{6}$/i, 'a colour such as #a1b2c3') },
    { style },
  ),
  date: shape(
    { type: oneOf('date'), timestamp: integer(), format: string() },
    { url: string(), fallback: string(), style },
  ),
});

const border = oneOf('0', '1');
const borderNumber: Rule = (value, path, inspection) =>
  typeof value === 'number'
    ? number({ min: 0, max: 1 })(value, path, inspection)
    : border(value, path, inspection);

const section = shape({ type: oneOf('rich_text_section'), elements: list(inline, { min: 0 }) });

/** A rich text block: sections, lists, quotes and preformatted text, each of inline elements. */
export const richText: Rule = shape(
  {
    type: oneOf('rich_text'),
    elements: list(
      byType('rich text element', {
        rich_text_section: section,
        rich_text_list: shape(
          {
            type: oneOf('rich_text_list'),
            style: oneOf('bullet', 'ordered'),
            elements: list(byType('rich text element', { rich_text_section: section })),
          },
          { indent: integer({ min: 0, max: 8 }), offset: integer({ min: 0 }), border: borderNumber },
        ),
        rich_text_quote: shape(
          { type: oneOf('rich_text_quote'), elements: list(inline, { min: 0 }) },
          { border: borderNumber },
        ),
        rich_text_preformatted: shape(
          { type: oneOf('rich_text_preformatted'), elements: list(inline, { min: 0 }) },
          { border: borderNumber, language: string() },
        ),
      }),
    ),
  },
  { block_id: string({ max: 255 }) },
);
