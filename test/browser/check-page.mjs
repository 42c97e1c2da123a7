// @ts-nocheck It runs inside the page, where the types of Node do not apply.

/**
 * Checks a page for people who use a screen reader or the keyboard, or have low vision. It runs inside the page, so it
 * must not use anything from outside.
 *
 * @param {{ focusOnly?: boolean }} [options] whether to check only the focused element
 * @returns {string[]} the problems, one line each
 */
export function checkPage({ focusOnly = false } = {}) {
  const problems = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const report = (element, problem) =>
    problems.push(`${element.outerHTML.replace(/\s+/g, ' ').slice(0, 100)}: ${problem}`);
  const isShown = (element) =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible';

  const isText = ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent.trim() !== '';

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
  const isTransparent = (color) => channels(color)[3] === 0;
  const backgroundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (!isTransparent(backgroundColor)) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };

  // The focused element.
  const focused = document.activeElement;
  if (focused !== document.body && focused.matches(':focus-visible')) {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(focused);
    if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2) report(focused, 'does not show its focus');
    const ratio = contrast(outlineColor, backgroundOf(focused.parentElement));
    if (ratio < 3) report(focused, `its focus has a contrast of ${ratio.toFixed(2)}`);
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
    if (next > level + 1) report(heading, `follows a heading of level ${level}`);
    if (heading.textContent.trim() === '') report(heading, 'is empty');
    level = next;
  }
  const ids = all('[id]').map(({ id }) => id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push(`the id ${id} appears twice`);

  // Controls: names, references, and size for a finger.
  const FIELDS = 'input:not([type=hidden]), select, textarea';
  const controls = all(`a[href], button, summary, ${FIELDS}`).filter(isShown);
  // A link can cover the card around it, and a box or a round mark is used by its label as well.
  const boxOf = (control) => {
    const { content, position } = getComputedStyle(control, '::after');
    if (content !== 'none' && position === 'absolute') return control.offsetParent.getBoundingClientRect();
    if (!control.matches('[type=checkbox], [type=radio]') || !control.labels[0]) return control.getBoundingClientRect();
    return control.labels[0].getBoundingClientRect();
  };
  for (const control of controls) {
    const label = control.getAttribute('aria-label') ?? '';
    const labels = [...(control.labels ?? [])].map(({ textContent }) => textContent);
    const name = label || (control.labels?.length > 0 ? labels.join(' ') : control.textContent);
    if (name.trim() === '') report(control, 'has no name');
    if (label && !label.includes(control.textContent.trim())) report(control, 'has a name that differs from its text');
    const { width, height } = boxOf(control);
    // A link within a sentence is as high as its line.
    const inText = control.localName === 'a' && [...control.parentNode.childNodes].some(isText);
    if ((height < 44 || width < 44) && !inText) report(control, `is ${width} by ${height}`);
  }
  for (const input of all(FIELDS)) {
    const isText = input.matches(
      'textarea, [type=text], [type=search], [type=email], [type=password], input:not([type])',
    );
    if (isText && !input.autocomplete) report(input, 'has no autocomplete');
    if (input.labels.length !== 1 || input.labels[0].htmlFor !== input.id) report(input, 'has no label of its own');
    if (input.getAttribute('aria-invalid') === 'true' && !input.getAttribute('aria-describedby')) {
      report(input, 'is invalid without an explanation');
    }
  }
  for (const element of all('[aria-describedby]')) {
    for (const id of element.getAttribute('aria-describedby').split(' ')) {
      if (!document.getElementById(id)?.textContent.trim())
        report(element, `is described by ${id}, which is not there`);
    }
  }
  for (const link of all('a[href^="#"]')) {
    if (!document.getElementById(link.getAttribute('href').slice(1))) report(link, 'leads nowhere');
  }

  // Contrast: text against its background, and the borders of controls.
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement;
    if (text.textContent.trim() === '' || !isShown(element)) continue;
    const ratio = contrast(getComputedStyle(element).color, backgroundOf(element));
    if (ratio < 4.5) report(element, `text has a contrast of ${ratio.toFixed(2)}`);
  }
  for (const control of all(`button, .button, ${FIELDS}`).filter(isShown)) {
    // A control without an edge is recognized by its text.
    if (isTransparent(getComputedStyle(control).borderTopColor)) continue;
    const ratio = contrast(getComputedStyle(control).borderTopColor, backgroundOf(control.parentElement));
    if (ratio < 3) report(control, `its edge has a contrast of ${ratio.toFixed(2)}`);
  }
  // Motion and overflow.
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    for (const element of all('*')) {
      const { transitionDuration, animationName } = getComputedStyle(element);
      if (!/^(0s(, )?)+$/.test(transitionDuration) || animationName !== 'none') report(element, 'moves');
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) problems.push(`wider than the window of ${innerWidth}`);
  return problems;
}

/** Returns the controls that the keyboard should reach, in document order. It runs inside the page. */
export function findStops() {
  const inGroup = (radio) => [...document.querySelectorAll(`input[type=radio][name="${CSS.escape(radio.name)}"]`)];
  // The keyboard enters a group of radio buttons at the chosen one, or at the first.
  const isEntry = (radio) => radio === (inGroup(radio).find(({ checked }) => checked) ?? inGroup(radio)[0]);
  const isReachable = (element) =>
    element.tabIndex >= 0 &&
    !element.disabled &&
    !element.closest('[inert]') &&
    element.checkVisibility({ visibilityProperty: true }) &&
    (element.type !== 'radio' || isEntry(element)) &&
    (element.localName !== 'summary' || element.parentElement.querySelector('summary') === element);
  const candidates = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]';
  return [...document.querySelectorAll(candidates)].filter(isReachable);
}
