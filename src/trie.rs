//! A compressed trie.
