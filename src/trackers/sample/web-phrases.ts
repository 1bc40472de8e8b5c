import type { Phrases } from './phrases.ts';

const where = [
  'after sign-in',
  'on small screens',
  'for guests',
  'after the back button',
  'when opened in two tabs',
  'in private windows',
  'on slow connections',
  'after midnight',
  'with large text',
  'when the language is changed',
  '',
] as const;

const tidying = [
  'the basket service',
  'the price import',
  'the search index',
  'the checkout tests',
  'the picture pipeline',
  'the mail templates',
  'the address check',
  'the voucher rules',
  'the stock feed',
  'the cookie banner',
] as const;

const occasion = [
  '',
  'before the summer sale',
  'after last week’s outage',
  'as agreed in the retrospective',
  'while it is quiet',
] as const;

export const webPhrases: Phrases = {
  Bug: [
    [
      ['Basket', 'Wish list', 'Shopping list'],
      ['loses its items', 'counts items twice', 'keeps removed items', 'shows an old price', 'stays empty'],
      where,
    ],
    [
      ['Search page', 'Product list', 'Category page', 'Price filter', 'Colour filter'],
      [
        'shows sold-out teapots',
        'ignores the chosen size',
        'jumps to the top',
        'sorts by the wrong price',
        'never finishes loading',
      ],
      where,
    ],
    [
      ['Checkout', 'Payment step', 'Voucher field', 'Gift card page'],
      [
        'rejects valid codes',
        'asks for the address twice',
        'shows the wrong total',
        'ignores the delivery date',
        'shows an empty error',
      ],
      where,
    ],
    [
      ['Order history', 'Return form', 'Invoice page', 'Address book'],
      [
        'misses the latest order',
        'shows dates in the wrong order',
        'forgets its input',
        'opens in the wrong language',
        'is cut off on paper',
      ],
      where,
    ],
    [
      ['Newsletter box', 'Size guide', 'Product gallery', 'Delivery estimate', 'Footer menu'],
      [
        'overlaps the basket button',
        'flickers while scrolling',
        'stays open',
        'is out of reach by keyboard',
        'hides the last line',
      ],
      where,
    ],
  ],
  Story: [
    [
      ['Show', 'Highlight'],
      [
        'delivery times',
        'remaining stock',
        'gift options',
        'return costs',
        'the price per cup',
        'care instructions',
        'opening offers',
      ],
      ['on the product page', 'in the basket', 'in search results', 'in the order mail', 'on category pages'],
    ],
    [
      ['Let customers', 'Let guests', 'Let returning customers'],
      [
        'save the basket for later',
        'split an order over two addresses',
        'pay by invoice',
        'choose a delivery day',
        'send an order as a gift',
        'repeat an earlier order',
        'compare two kettles',
        'follow a sold-out product',
        'print a return label',
        'change an order before it ships',
      ],
      ['', 'on phones', 'without a reload', 'from the account page'],
    ],
    [
      ['Suggest', 'Offer'],
      ['matching cups', 'a spare lid', 'descaling kits', 'gift wrapping', 'a tea sampler', 'a larger pot'],
      ['before checkout', 'after an order', 'beside the basket', 'to newsletter readers'],
    ],
  ],
  Task: [
    [['Speed up', 'Tidy up', 'Document', 'Move', 'Split'], tidying, occasion],
    [
      ['Add monitoring to', 'Remove unused code from', 'Write more tests for', 'Update the libraries of'],
      tidying,
      occasion,
    ],
  ],
};
