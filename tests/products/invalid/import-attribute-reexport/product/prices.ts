export default { starter: 1900 };
