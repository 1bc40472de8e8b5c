const shopMoments = `
  after sign-in / on small screens / for guests / after the back button / when opened in two tabs /
  in private windows / on slow connections / after midnight / with large text /
  when the language is changed /`;
const shopParts = `
  the basket service / the price import / the search index / the checkout tests / the picture pipeline /
  the mail templates / the address check / the voucher rules / the stock feed / the cookie banner`;
const occasions = `
  / before the summer sale / after last week’s outage / as agreed in the retrospective / while it is quiet`;
const appMoments = `
  after an update / without a connection / on tablets / in dark mode / when the phone is turned /
  with large text / after a long pause / on older phones / while a call comes in /`;
const appParts = `
  the start screen / the offline cache / the push service / the sign-in flow / the crash reports /
  the picture loader / the release script / the deep links / the test devices`;
const servers = `
  the build server / the mail gateway / the order database / the file store / the label printers /
  the phone system / the backup host / the till network`;
const places = `
  in Berlin / in New York / in the warehouse / at the reception / in the photo studio`;

const web = {
  Bug: `
    Basket / Wish list / Shopping list
    | loses its items / counts items twice / keeps removed items / shows an old price / stays empty
    | ${shopMoments}

    Search page / Product list / Category page / Price filter / Colour filter
    | shows sold-out teapots / ignores the chosen size / jumps to the top / sorts by the wrong price /
      never finishes loading
    | ${shopMoments}

    Checkout / Payment step / Voucher field / Gift card page
    | rejects valid codes / asks for the address twice / shows the wrong total /
      ignores the delivery date / shows an empty error
    | ${shopMoments}

    Order history / Return form / Invoice page / Address book
    | misses the latest order / shows dates in the wrong order / forgets its input /
      opens in the wrong language / is cut off on paper
    | ${shopMoments}

    Newsletter box / Size guide / Product gallery / Delivery estimate / Footer menu
    | overlaps the basket button / flickers while scrolling / stays open / is out of reach by keyboard /
      hides the last line
    | ${shopMoments}`,
  Story: `
    Show / Highlight
    | delivery times / remaining stock / gift options / return costs / the price per cup /
      care instructions / opening offers
    | on the product page / in the basket / in search results / in the order mail / on category pages

    Let customers / Let guests / Let returning customers
    | save the basket for later / split an order over two addresses / pay by invoice /
      choose a delivery day / send an order as a gift / repeat an earlier order / compare two kettles /
      follow a sold-out product / print a return label / change an order before it ships
    | / on phones / without a reload / from the account page

    Suggest / Offer
    | matching cups / a spare lid / descaling kits / gift wrapping / a tea sampler / a larger pot
    | before checkout / after an order / beside the basket / to newsletter readers`,
  Task: `
    Speed up / Tidy up / Document / Move / Split
    | ${shopParts}
    | ${occasions}

    Add monitoring to / Remove unused code from / Write more tests for / Update the libraries of
    | ${shopParts}
    | ${occasions}`,
};
const app = {
  Bug: `
    Start screen / Order list / Product view / Map of shops
    | stays blank / freezes for seconds / closes without a word / loads twice / shows yesterday’s data
    | ${appMoments}

    Barcode scanner / Fingerprint sign-in / Password reset / Voice search
    | fails at the first attempt / asks for permission again and again / stops without a message /
      drains the battery / never answers
    | ${appMoments}

    Push message / Delivery alert / Badge on the icon
    | opens the wrong order / repeats every hour / stays after reading / shows a raw placeholder /
      is cut off
    | ${appMoments}

    Basket tab / Payment sheet / Loyalty card / Wish list tab
    | forgets the chosen card / adds every item twice / hides its last button / shows the wrong currency /
      ignores the voucher
    | ${appMoments}`,
  Story: `
    Remind people of / Notify people about / Add a widget for
    | a forgotten basket / a delivery on its way / a price drop / the next tea delivery /
      points about to expire / a product back in stock
    | / on the lock screen / at a time of their choice / on the watch

    Sign in / Pay / Confirm an order / Collect points / Join a subscription
    | with a fingerprint / with one tap / by scanning a code / without an account / from the start screen

    Browse / Search / Share / Rate / Sort
    | past orders / the wish list / nearby shops / brewing guides / new arrivals / gift cards
    | offline / on tablets / by voice / with friends / with fewer taps`,
  Task: `
    Rework / Measure / Simplify / Document / Translate
    | ${appParts}
    | ${occasions}

    Remove old code from / Add tests for / Fix the warnings in / Prepare the next system version for
    | ${appParts}
    | ${occasions}`,
};
const ops = {
  Incident: `
    Order import / Stock sync / Nightly backup / Price feed / Invoice run / Search indexing /
      Newsletter dispatch
    | failed / is late / stopped half-way / runs in a loop / reports zero rows / timed out twice
    | / for the second time this month / since the last release / on the standby host /
      on one of two nodes

    Disk almost full / High load / No answer / Many errors / Memory running low
    | on
    | ${servers}
    | / since midnight / every few minutes / after the restart / during the backup

    Payments / Sign-ins / Orders / Order mails / Deliveries
    | are slower than usual / fail for some customers / have dropped to zero / arrive twice /
      wait in the queue
    | / from one region / since the last deployment / with gift cards / outside office hours`,
  'Service Request': `
    New laptop / Second screen / Access card / Headset / Standing desk / Desk phone /
      Key for the bicycle room
    | for a new colleague / for the support team / for the finance team / for a trainee / for the buyers
    | ${places}

    Access to / More space on / A test account for / A guest account for
    | the reporting folder / the order database / the shared calendar / the supplier portal /
      the photo archive / the warehouse planner
    | / for the auditors / for the summer staff / for an agency / until the end of the quarter

    Printer / Meeting room screen / Wireless network / Door lock / Label scanner / Coffee till
    | does not respond / is very slow / needs a restart every day / shows a warning /
      makes a strange noise
    | ${places}

    Reset the password of / Close the account of / Move the mailbox of / Restore a folder of
    | a colleague / the night shift / a former colleague / the press office / the buying team /
      the shop in the old town
    | / by Friday / before the audit / as agreed on the phone`,
  Bug: `
    Shift planner / Stock report / Returns desk / Label printer queue / Supplier portal
    | shows the wrong week / loses its settings / prints blank pages / rejects correct passwords /
      is in the wrong time zone / sends every mail twice
    | / since the update / on one workstation / after a restart / at the end of the month`,
  Task: `
    Renew the certificate of / Update / Replace the disks of / Move / Write a runbook for /
      Test the restore of
    | ${servers}

    Review the access rights of / Order spare parts for / Check the alarms of / Plan the maintenance of
    | ${servers}
    | / before winter / with the supplier`,
};

/** Lists of columns of phrases by type of issue. */
type Columns = Readonly<Record<string, readonly (readonly (readonly string[])[])[]>>;

/** Reads lists of columns: a blank line is between two lists, a bar between two columns, a slash between two phrases. */
function readColumns(written: Readonly<Record<string, string>>): Columns {
  const split = (text: string, by: string) => text.split(by).map((part) => part.trim());
  return Object.fromEntries(
    Object.entries(written).map(([type, text]) => [
      type,
      split(text, '\n\n').map((list) => split(list, '|').map((column) => split(column, '/'))),
    ]),
  );
}

/** Columns of phrases by project and type of issue: one of each, joined by spaces, makes a summary. */
export const phrases = { WEB: readColumns(web), APP: readColumns(app), OPS: readColumns(ops) };
