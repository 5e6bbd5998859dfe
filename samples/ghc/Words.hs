-- Counts words and sorts them: for a profile with stacks that share functions, a function that calls
-- itself, a name with an operator, and constants.
module Main (main) where

import Data.Char (toLower)
import Data.List (foldl', sortBy)
import qualified Data.Map.Strict as Map
import Count (countWords, (<+>))

text :: Int -> [String]
text n = [toWord (i * i `mod` 7919) | i <- [1 .. n]]

toWord :: Int -> String
toWord 0 = "z"
toWord i = toEnum (97 + i `mod` 26) : toWord (i `div` 26)

fib :: Int -> Integer
fib n = if n < 2 then toInteger n else fib (n - 1) + fib (n - 2)

main :: IO ()
main = do
  let counts = countWords (text 60000) <+> countWords (map (map toLower) (text 30000))
  print (take 3 (sortBy (\a b -> compare (snd b) (snd a)) (Map.toList counts)))
  print (foldl' (+) 0 (map fib [15 .. 22]))
