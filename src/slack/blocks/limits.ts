/**
 * Slack's limits on blocks and views, each with where it was read. "Reference" is the Block Kit reference on
 * docs.slack.dev; "measured" is a third party's published finding that no document states.
 */
export const limits = {
  /** Reference, "blocks": a message takes 50, a modal or a Home tab 100. */
  blocks: { message: 50, modal: 100, home: 100 },
  /** Reference, every block and every interactive element. */
  id: 255,
  /** Measured (bolt-js issue 2509): more over all blocks of one message answers `msg_blocks_too_long`. */
  messageCharacters: 13_200,
  /** Reference, text object. */
  text: 3_000,
  /** Reference, header block. */
  header: 150,
  /** Reference, section block: `text`, the number of `fields`, each field. */
  section: { text: 3_000, fields: 10, field: 2_000 },
  /** Reference, context block. */
  contextElements: 10,
  /** Reference, actions block. */
  actionsElements: 25,
  /** Reference, image block: alternative text, title, address. */
  image: { alt: 2_000, title: 2_000, url: 3_000 },
  /** Reference, input block: label and hint. */
  input: { label: 2_000, hint: 2_000 },
  /** Reference, button element. */
  button: { text: 75, value: 2_000, url: 3_000 },
  /** Reference, option object, and the elements that list options. */
  option: { text: 75, value: 150, description: 75, url: 3_000 },
  /** Reference, select menus: options, option groups, group label. */
  select: { options: 100, groups: 100, groupLabel: 75 },
  /** Reference, checkboxes and radio buttons. */
  choices: 10,
  /** Reference, overflow menu. */
  overflowOptions: 5,
  /** Reference, every element with a placeholder. */
  placeholder: 150,
  /** Reference, plain-text input. */
  plainTextInput: 3_000,
  /** Reference, confirmation dialog object. */
  confirm: { title: 100, text: 300, button: 30 },
  /** Reference, view object. */
  view: { title: 24, submit: 24, close: 24, privateMetadata: 3_000, callbackId: 255, externalId: 255 },
  /** Reference, views.open: a larger view answers `view_too_large`. */
  viewBytes: 250_000,
  /** Reference, table block; its characters are measured, as is one table (of either kind) per message. */
  table: { rows: 100, cells: 20, columnSettings: 20, characters: 10_000, perMessage: 1 },
  /** Reference, data table block: rows count the header. */
  dataTable: { minRows: 2, rows: 101, columns: 20, characters: 10_000, pageSize: 100 },
  /** Reference, data visualization block; newer copies say 12 series, so 6 is safe. Two per message is measured. */
  chart: { title: 50, series: 6, points: 20, label: 20, axisLabel: 50, perMessage: 2 },
  /** Reference, chat.postMessage: longer text is cut, not refused. */
  messageText: 40_000,
} as const;
