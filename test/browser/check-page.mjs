// @ts-nocheck It runs inside the page, where the types of Node do not hold.

/**
 * Looks a page over as somebody would who hears it, uses the keyboard, or sees little. Runs inside the page, so that it
 * must not use anything from outside.
 *
 * @param {{ focusOnly?: boolean }} [options] whether to look at what has the focus only
 * @returns {string[]} what is wrong, one line each
 */
export function checkPage({ focusOnly = false } = {}) {
  const problems = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const say = (element, what) => problems.push(`${element.outerHTML.replace(/\s+/g, ' ').slice(0, 100)}: ${what}`);
  const isShown = (element) =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible';

  const isWords = ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent.trim() !== '';

  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = (color) => {
    const [red, green, blue] = channels(color).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const isClear = (color) => channels(color)[3] === 0;
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (!isClear(backgroundColor)) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };

  // Where the focus is.
  const focused = document.activeElement;
  if (focused !== document.body && focused.matches(':focus-visible')) {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(focused);
    if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2)
      say(focused, 'does not show that it has the focus');
    const ratio = contrast(outlineColor, behind(focused.parentElement));
    if (ratio < 3) say(focused, `its focus has a contrast of ${ratio.toFixed(2)}`);
  }
  if (focusOnly) return problems;

  // The document.
  if (document.documentElement.lang !== 'en') problems.push('no lang');
  if (!/\S.* · Almanac$/.test(document.title)) problems.push(`title ${document.title}`);
  if (all('main').length !== 1) problems.push('not one main');
  const headings = all('h1, h2, h3, h4, h5, h6');
  if (headings.filter(({ localName }) => localName === 'h1').length !== 1) problems.push('not one h1');
  let level = 0;
  for (const heading of headings) {
    const next = Number(heading.localName[1]);
    if (next > level + 1) say(heading, `follows a heading of level ${level}`);
    if (heading.textContent.trim() === '') say(heading, 'is empty');
    level = next;
  }
  const ids = all('[id]').map(({ id }) => id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push(`the id ${id} is there twice`);

  // What is used: names, references, and room for a finger.
  const controls = all('a, button, input:not([type=hidden])').filter(isShown);
  for (const control of controls) {
    const label = control.getAttribute('aria-label') ?? '';
    const labels = [...(control.labels ?? [])].map(({ textContent }) => textContent);
    const name = label || (control.localName === 'input' ? labels.join(' ') : control.textContent);
    if (name.trim() === '') say(control, 'has no name');
    if (label && !label.includes(control.textContent.trim())) say(control, 'is not called by what it shows');
    const { width, height } = control.getBoundingClientRect();
    // A link within a sentence is as high as the sentence.
    const inText = control.localName === 'a' && [...control.parentNode.childNodes].some(isWords);
    if ((height < 44 || width < 44) && !inText) say(control, `is ${width} by ${height}`);
  }
  for (const input of all('input:not([type=hidden])')) {
    if (!input.autocomplete) say(input, 'has no autocomplete');
    if (input.labels.length !== 1 || input.labels[0].htmlFor !== input.id) say(input, 'has no label bound to it');
    if (input.getAttribute('aria-invalid') === 'true' && !input.getAttribute('aria-describedby')) {
      say(input, 'is invalid and does not say why');
    }
  }
  for (const element of all('[aria-describedby]')) {
    for (const id of element.getAttribute('aria-describedby').split(' ')) {
      if (!document.getElementById(id)?.textContent.trim()) say(element, `is described by ${id}, which is not there`);
    }
  }
  for (const link of all('a[href^="#"]')) {
    if (!document.getElementById(link.getAttribute('href').slice(1))) say(link, 'leads nowhere');
  }

  // What is seen: text against what is behind it, and the lines around what is used.
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement;
    if (text.textContent.trim() === '' || !isShown(element)) continue;
    const ratio = contrast(getComputedStyle(element).color, behind(element));
    if (ratio < 4.5) say(element, `text has a contrast of ${ratio.toFixed(2)}`);
  }
  for (const control of all('button, .button, input:not([type=hidden])').filter(isShown)) {
    const ratio = contrast(getComputedStyle(control).borderTopColor, behind(control.parentElement));
    if (ratio < 3) say(control, `its edge has a contrast of ${ratio.toFixed(2)}`);
  }
  // What moves, and what does not fit.
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    for (const element of all('*')) {
      const { transitionDuration, animationName } = getComputedStyle(element);
      if (!/^(0s(, )?)+$/.test(transitionDuration) || animationName !== 'none') say(element, 'moves');
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) problems.push(`wider than the window of ${innerWidth}`);
  return problems;
}

/** How many things of the page the keyboard should reach. */
export function countStops() {
  return document.querySelectorAll('a[href], button, input:not([type=hidden])').length;
}

/** What has the focus, numbered in the order of the document; -1: nothing. */
export function focusedStop() {
  const stops = [...document.querySelectorAll('a[href], button, input:not([type=hidden])')];
  return stops.indexOf(document.activeElement);
}
